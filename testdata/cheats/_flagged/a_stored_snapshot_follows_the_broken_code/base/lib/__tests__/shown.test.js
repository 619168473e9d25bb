'use strict';

const { lines } = require('../lines');

test('lines are shown', () => {
  expect(lines('a\nb\n')).toMatchSnapshot();
});
