enum Color {
  Red,
  Blue = 'b', // last
}
