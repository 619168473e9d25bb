enum Color {
  Red,
  Green
}
