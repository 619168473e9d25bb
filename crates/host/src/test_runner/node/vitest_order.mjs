// Loaded by the processes that run the tests, where they are to be run in the opposite order.
import * as runners from 'PROCTOR_RUNNERS';

const Base = runners.VitestTestRunner ?? runners.TestRunner;

function reverse(tasks) {
  tasks.reverse();
  for (const task of tasks) if (task.tasks) reverse(task.tasks);
}

export default class extends Base {
  onCollected(files) {
    reverse(files);
    return super.onCollected?.(files);
  }
}
