/** The words of a text, without punctuation, in small letters. */
export function words(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

export function titleCase(text) {
  return text;
}
