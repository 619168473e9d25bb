/* eslint-env jest */

import MiniSearch from './MiniSearch'
import { highlight } from './highlight'

describe('highlight', () => {
  const documents = [
    { id: 1, text: 'Nel mezzo del cammin di nostra vita' },
    { id: 2, text: 'e quindi uscimmo a riveder le stelle' }
  ]
  const ms = new MiniSearch({ fields: ['text'] })
  ms.addAll(documents)

  const highlighted = (query, id, options) => {
    const result = ms.search(query, options).find((result) => result.id === id)
    return highlight(documents[id - 1].text, result)
  }

  it('marks the terms that were matched', () => {
    expect(highlighted('vita', 1)).toEqual('Nel mezzo del cammin di nostra <mark>vita</mark>')
  })

  it('marks every occurrence, whatever its case', () => {
    const result = { terms: ['del', 'nel'] }
    expect(highlight('Nel del NEL', result)).toEqual('<mark>Nel</mark> <mark>del</mark> <mark>NEL</mark>')
  })

  it('marks what was found by prefix and fuzzy search', () => {
    expect(highlighted('stel', 2, { prefix: true })).toEqual('e quindi uscimmo a riveder le <mark>stelle</mark>')
    expect(highlighted('quinti', 2, { fuzzy: 1 })).toEqual('e <mark>quindi</mark> uscimmo a riveder le stelle')
  })

  it('leaves a text alone in which nothing was matched', () => {
    expect(highlight('a.b', { terms: ['a.', 'c'] })).toEqual('a.b')
    expect(highlight('abc', { terms: [] })).toEqual('abc')
  })
})
