export interface P {
  name: string;
  age: number;
}
