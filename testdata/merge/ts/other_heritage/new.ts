class A extends C {
  x = 1;
}
