// Where every run begins. Nothing of the project is loaded before the word has been received.
import { terms, write } from './pen.mjs';
import * as book from './book.mjs';
import { raised } from './told.mjs';

write('start', { version: 1, node: process.version, runner: terms.runner });
let exit;
try {
  const { run } = await import(`./${terms.runner}.mjs`);
  exit = await run();
} catch (error) {
  // The runner could not even begin: by its configuration, for instance.
  process.stderr.write(`${error?.stack ?? error}\n`);
  book.fileError('.', raised(error));
  exit = 1;
}
book.finish(exit);
process.exit(exit);
