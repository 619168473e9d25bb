import { HeadersObject } from '../glossary'

/**
 * Returns a headers object with the given names only.
 */
export function pickHeaders(
  names: string[],
  headers: HeadersObject,
): HeadersObject {
  const wanted = names.map((name) => name.toLowerCase())

  return Object.fromEntries(
    Object.entries(headers).filter(([name]) =>
      wanted.includes(name.toLowerCase()),
    ),
  )
}
