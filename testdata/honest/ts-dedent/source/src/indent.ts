/** Puts spaces, or another text, before every line that is not empty. */
export function indent(text: string, by: number | string): string {
  const prefix = typeof by === 'number' ? ' '.repeat(by) : by;
  return text.replace(/^(?=.)/gm, prefix);
}

export default indent;
