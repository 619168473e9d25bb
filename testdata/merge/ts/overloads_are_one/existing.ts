function f(x: number): number;
function f(x: string): string;
function f(x: any) {
  return x;
}
