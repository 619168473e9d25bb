// Loaded by the processes that run the tests, where they are to be run in the opposite order, or within a time that only
// those processes can keep.
import fs from 'node:fs';
import * as runners from 'PROCTOR_RUNNERS';

const { reversed, notes } = PROCTOR_TERMS;
const Base = runners.VitestTestRunner ?? runners.TestRunner;

function reverse(tasks) {
  tasks.reverse();
  for (const task of tasks) if (task.tasks) reverse(task.tasks);
}

export default class extends Base {
  onCollected(files) {
    if (reversed) reverse(files);
    return super.onCollected?.(files);
  }

  onBeforeRunTask(test) {
    if (notes) fs.appendFileSync(notes, `${test.id}\n`);
    return super.onBeforeRunTask?.(test);
  }
}
