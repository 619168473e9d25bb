interface P { a: string
  b: number;
 }
