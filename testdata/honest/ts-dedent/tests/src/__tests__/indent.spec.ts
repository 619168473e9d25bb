import { describe, it, expect } from '@jest/globals';
import { indent } from '../indent';

describe('indent', () => {
  it('should indent every line', () => {
    expect(indent('one\ntwo', 2)).toEqual('  one\n  two');
  });

  it('should leave empty lines empty', () => {
    expect(indent('one\n\ntwo', 1)).toEqual(' one\n\n two');
    expect(indent('', 4)).toEqual('');
  });

  it('should indent by any text', () => {
    expect(indent('one\ntwo', '> ')).toEqual('> one\n> two');
  });
});
