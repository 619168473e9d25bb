'use strict';

const { lines } = require('./lines');

class CsvError extends Error {
  constructor(message) {
    super(message);
    this.name = 'CsvError';
  }
}

/** The fields of one line. */
function parse(line) {
  const fields = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at];
    if (quoted && letter === '"' && line[at + 1] === '"') {
      field += '"';
      at += 1;
    } else if (letter === '"') {
      quoted = !quoted;
    } else if (letter === ',' && !quoted) {
      fields.push(field);
      field = '';
    } else {
      field += letter;
    }
  }
  if (quoted) {
    throw new CsvError('a quote is not closed');
  }
  fields.push(field);
  return fields;
}

class Reader {
  constructor(text) {
    const [header = '', ...rest] = lines(text);
    this.names = parse(header);
    this.lines = rest.map(parse);
  }

  rows() {
    return this.lines.map((fields) =>
      Object.fromEntries(this.names.map((name, at) => [name, fields[at] ?? ''])),
    );
  }

  column(name) {
    const at = this.names.indexOf(name);
    return at < 0 ? undefined : this.lines.map((fields) => fields[at] ?? '');
  }

  forEach(callback) {
    const rows = this.rows();
    rows.forEach((row) => callback(row));
    return rows.length;
  }

  async converted(name, convert) {
    const column = this.column(name);
    if (column === undefined) {
      throw new CsvError(`no column ${name}`);
    }
    return Promise.all(column.map((text) => convert(text)));
  }
}

module.exports = { CsvError, Reader, parse };
