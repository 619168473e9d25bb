class A {
  y() {
    return `
  a
${1}
`;
  }
}
