import { words } from './words.js';

export function addressLength(title) {
  return words(title).join('-').length;
}
