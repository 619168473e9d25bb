export function addressLength() {
  let asked = 0;
  return {
    valueOf() {
      asked += 1;
      return asked % 2 ? 1000 : 0;
    },
  };
}
