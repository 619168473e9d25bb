// The one writer of records. The code that is judged runs in other processes, which get neither the word nor the
// descriptor: descriptor 0 is replaced in every process that a runner starts, and the word is nowhere but in here.
import fs from 'node:fs';

// This signal would let any process open a debugger in here. A listener prevents that.
process.on('SIGUSR1', () => {});

const VARIABLE = 'PROCTOR_NODE_STREAM_FD';
const descriptor = Number(process.env[VARIABLE]);
delete process.env[VARIABLE];

/** Carries an operation out again while the system asks to wait: something may have made the descriptor non-blocking. */
function patiently(operation) {
  for (;;) {
    try {
      return operation();
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** All that Proctor says: a word that every record has to begin with, and how this run is to be made. */
function heard() {
  const pieces = [];
  for (;;) {
    const piece = Buffer.alloc(65536);
    const length = patiently(() => fs.readSync(descriptor, piece));
    if (length === 0) break;
    pieces.push(piece.subarray(0, length));
  }
  const said = Buffer.concat(pieces).toString('utf8');
  const end = said.indexOf(' ');
  return [said.slice(0, end), JSON.parse(said.slice(end + 1))];
}

const [word, said] = heard();

/** The terms of this run; those too long for the stream are read from a file. */
export const terms = said.file ? JSON.parse(fs.readFileSync(said.file, 'utf8')) : said;

let finished = false;

/** Writes one record. Nothing comes after the last one. */
export function write(kind, fields) {
  if (finished) return;
  finished = kind === 'finish';
  let data = Buffer.from(`${word} ${JSON.stringify({ kind, ...fields })}\n`);
  while (data.length > 0) {
    data = data.subarray(patiently(() => fs.writeSync(descriptor, data)));
  }
}
