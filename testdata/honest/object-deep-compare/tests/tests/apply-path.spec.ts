import { GetPath } from '../src/core/get-path';

describe('GetPath', () => {
  const object = { user: { tags: ['a', 'b'], name: null }, 'x.y': 1 };

  it('should follow properties and indices', () => {
    expect(GetPath(object, 'user.tags[1]')).toBe('b');
    expect(GetPath(object, 'user.name')).toBeNull();
    expect(GetPath([[1, 2], [3]], '[1][0]')).toBe(3);
  });

  it('should return undefined for what is not there', () => {
    expect(GetPath(object, 'user.age')).toBeUndefined();
    expect(GetPath(object, 'user.name.first')).toBeUndefined();
    expect(GetPath(object, 'user.tags[7]')).toBeUndefined();
  });

  it('should return the whole for an empty path', () => {
    expect(GetPath({ a: [1, { b: 2 }] }, '')).toEqual({ a: [1, { b: 2 }] });
  });
});
