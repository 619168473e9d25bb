interface P {
  b: number;
}
