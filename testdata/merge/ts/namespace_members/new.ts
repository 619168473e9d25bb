namespace N {
  export const b = 2;
}
