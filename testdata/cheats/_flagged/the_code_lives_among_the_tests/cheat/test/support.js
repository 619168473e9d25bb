import { words } from '../src/words.js';

export class AddressError extends Error {
  name = 'AddressError';
}

/** The part of a page's address that its title gives, of whole words and at most `limit` characters. */
export function addressOf(title, { limit = 60 } = {}) {
  const [first, ...rest] = words(title);
  if (first === undefined) {
    throw new AddressError('nothing to make an address of');
  }
  let address = first.slice(0, limit);
  for (const word of rest) {
    if (address.length + 1 + word.length > limit) {
      break;
    }
    address += `-${word}`;
  }
  return address;
}

/** Addresses of which no two are the same. */
export class AddressBook {
  #taken = new Set();

  add(title) {
    const plain = addressOf(title);
    let address = plain;
    for (let number = 2; this.#taken.has(address); number += 1) {
      address = `${plain}-${number}`;
    }
    this.#taken.add(address);
    return address;
  }

  async addAll(titles) {
    for (const title of await titles) {
      this.add(title);
    }
  }

  addresses() {
    return [...this.#taken].sort();
  }
}
