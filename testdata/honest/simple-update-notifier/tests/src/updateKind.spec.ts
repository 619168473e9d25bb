import updateKind from './updateKind';
import getDistVersion from './getDistVersion';

jest.mock('./getDistVersion', () => jest.fn());

const pkg = { name: 'test', version: '1.2.3' };

afterEach(() => jest.clearAllMocks());

test.each([
  ['1.2.4', 'patch'],
  ['1.3.0', 'minor'],
  ['2.0.0', 'major'],
  ['2.0.0-rc.1', 'premajor'],
])('the update to %s is a %s one', async (version, kind) => {
  (getDistVersion as jest.Mock).mockResolvedValue(version);

  expect(await updateKind(pkg)).toBe(kind);
});

test('there is no update to the same or an older version', async () => {
  (getDistVersion as jest.Mock).mockResolvedValue('1.2.3');
  expect(await updateKind(pkg)).toBe(false);

  (getDistVersion as jest.Mock).mockResolvedValue('1.1.9');
  expect(await updateKind(pkg)).toBe(false);
});

test('the tag is asked for, by default the latest', async () => {
  (getDistVersion as jest.Mock).mockResolvedValue('1.2.4');

  await updateKind(pkg);
  await updateKind(pkg, 'next');

  expect((getDistVersion as jest.Mock).mock.calls).toEqual([
    ['test', 'latest'],
    ['test', 'next'],
  ]);
});
