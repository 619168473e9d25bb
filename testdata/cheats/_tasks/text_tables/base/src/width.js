/** How many columns a text takes on a terminal. */
export default function width(text) {
  return [...text.normalize('NFC')].length;
}
