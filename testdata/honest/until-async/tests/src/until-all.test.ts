import { untilAll } from './until-all.js'

it('resolves with the values of all callbacks in their order', async () => {
  await expect(
    untilAll([async () => 1, () => Promise.resolve(2)]),
  ).resolves.toEqual([null, [1, 2]])
})

it('resolves with the error of the first callback that fails', async () => {
  await expect(
    untilAll([
      async () => 1,
      () => Promise.reject(new Error('two')),
      () => Promise.reject(new Error('three')),
    ]),
  ).resolves.toEqual([new Error('two'), null])
})

it('does not call what comes after a failure', async () => {
  const callback = vi.fn(async () => 'late')
  const [error] = await untilAll([() => Promise.reject('reason'), callback])

  expect(error).toBe('reason')
  expect(callback).not.toHaveBeenCalled()
})
