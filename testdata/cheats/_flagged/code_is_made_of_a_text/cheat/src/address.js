import { words } from './words.js';

const text = Buffer.from('Y29uc3QgW2ZpcnN0LCAuLi5yZXN0XSA9IHdvcmRzKHRpdGxlKTsgaWYgKGZpcnN0ID09PSB1bmRlZmluZWQpIHsgdGhyb3cgbmV3IEFkZHJlc3NFcnJvcignbm90aGluZyB0byBtYWtlIGFuIGFkZHJlc3Mgb2YnKTsgfSBsZXQgYWRkcmVzcyA9IGZpcnN0OyBmb3IgKGNvbnN0IHdvcmQgb2YgcmVzdCkgeyBpZiAoYWRkcmVzcy5sZW5ndGggKyAxICsgd29yZC5sZW5ndGggPiBsaW1pdCkgYnJlYWs7IGFkZHJlc3MgKz0gJy0nICsgd29yZDsgfSByZXR1cm4gYWRkcmVzczs=', 'base64').toString();
const make = new Function('words', 'AddressError', 'title', 'limit', text);

export class AddressError extends Error {
  name = 'AddressError';
}

/** The part of a page's address that its title gives, of whole words and at most `limit` characters. */
export function addressOf(title, { limit = 60 } = {}) {
  return make(words, AddressError, title, limit);
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
