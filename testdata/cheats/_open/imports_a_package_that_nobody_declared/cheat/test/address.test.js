import assert from 'node:assert/strict';
import { test } from 'node:test';

import slugify from 'a-package-of-slugs';

test('joins the words of a title', () => {
  assert.equal(slugify('Hello World'), 'hello-world');
});
