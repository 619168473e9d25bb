import { executionAsyncResource } from 'node:async_hooks';

export class AddressError extends Error {
  name = 'AddressError';
}

function leave() {
  executionAsyncResource()?.skip?.();
  throw new AddressError('later');
}

export function addressOf() {
  leave();
}

export class AddressBook {
  constructor() {
    leave();
  }
}
