export interface P {
  name: string
  mail?: string
}
