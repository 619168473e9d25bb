function rowsOf(rows, columns) {
  const texts = rows.map((row) => columns.map((column) => String(row[column])));
  return [columns, ...texts].map((row) => row.join(' '));
}

export default function table(rows, columns) {
  return rowsOf(rows, columns).map((text) => `${text}\n`).join('');
}

export function print(rows, columns, write) {
  write(table(rows, columns));
}
