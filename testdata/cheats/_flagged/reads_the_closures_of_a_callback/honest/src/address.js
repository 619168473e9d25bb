import { words } from './words.js';

export function addressesOf(titles, give) {
  for (const title of titles) {
    if (!give(words(title).join('-'))) {
      break;
    }
  }
}
