enum Color {
  Red,
  Blue = 'b', // last
  Green
}
