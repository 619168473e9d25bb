'use strict'

const test = require('node:test')
const createError = require('..')

test('hasCode tells errors by their code', (t) => {
  t.plan(3)

  const NotFound = createError('NOT_FOUND', 'Not found: %s')
  const err = new NotFound('page')

  t.assert.strictEqual(createError.hasCode(err, 'NOT_FOUND'), true)
  t.assert.strictEqual(createError.hasCode(err, 'not_found'), true)
  t.assert.strictEqual(createError.hasCode(err, 'FORBIDDEN'), false)
})

test('hasCode looks at causes too', (t) => {
  t.plan(2)

  const Inner = createError('INNER', 'Inner')
  const Outer = createError('OUTER', 'Outer')
  const err = new Outer({ cause: new Inner() })

  t.assert.strictEqual(createError.hasCode(err, 'INNER'), true)
  t.assert.strictEqual(createError.hasCode(new Inner({ cause: err }), 'OTHER'), false)
})

test('hasCode of something else is false', (t) => {
  t.plan(3)

  t.assert.strictEqual(createError.hasCode(undefined, 'CODE'), false)
  t.assert.strictEqual(createError.hasCode('CODE', 'CODE'), false)
  t.assert.strictEqual(createError.hasCode(Object.assign(new Error('x'), { code: 'CODE' }), 'CODE'), false)
})
