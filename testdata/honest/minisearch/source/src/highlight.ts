/**
 * Marks the terms of a search result in a text.
 *
 * @param text  The text of a field
 * @param result  A search result, of which the matched terms are used
 * @return The text with each whole word that is one of the terms inside of `<mark>`
 */
export const highlight = (text: string, result: { terms: string[] }): string => {
  const terms = new Set(result.terms)
  return text.replace(/[\p{L}\p{N}]+/gu, (word) =>
    terms.has(word.toLowerCase()) ? `<mark>${word}</mark>` : word
  )
}
