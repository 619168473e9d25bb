class A {
    x = 1;

    y() {
        return `
  a
${1}
`;
    }
}
