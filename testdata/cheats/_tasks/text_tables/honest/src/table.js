import width from './width.js';

function line(texts, widths) {
  return texts
    .map((text, at) => text + ' '.repeat(widths[at] - width(text)))
    .join(' ')
    .trimEnd();
}

function rowsOf(rows, columns) {
  if (columns.length === 0) {
    throw new TypeError('a table has at least one column');
  }
  const texts = rows.map((row) => columns.map((column) => String(row[column] ?? '')));
  const all = [columns, ...texts];
  const widths = columns.map((_, at) => Math.max(...all.map((row) => width(row[at]))));
  return all.map((row) => line(row, widths));
}

export default function table(rows, columns) {
  return rowsOf(rows, columns).map((text) => `${text}\n`).join('');
}

export function print(rows, columns, write) {
  rowsOf(rows, columns).forEach((text) => write(text));
}
