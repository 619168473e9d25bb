'use strict'

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { derefSchemas } = require('../index.js')

test('should dereference schemas that refer to each other', () => {
  const schemas = [
    { $id: 'user', type: 'object', properties: { name: { $ref: 'name#' } } },
    { $id: 'name', type: 'string' }
  ]

  assert.deepStrictEqual(derefSchemas(schemas), {
    user: { $id: 'user', type: 'object', properties: { name: { type: 'string' } } },
    name: { $id: 'name', type: 'string' }
  })
})

test('should leave the schemas as they are', () => {
  const schemas = [{ $id: 'a', items: { $ref: '#/definitions/b' }, definitions: { b: { type: 'null' } } }]

  const { a } = derefSchemas(schemas)
  assert.deepStrictEqual(a.items, { type: 'null' })
  assert.deepStrictEqual(schemas[0].items, { $ref: '#/definitions/b' })
})

test('should return an empty object without schemas', () => {
  assert.deepStrictEqual(derefSchemas([]), {})
})

test('should throw if a schema has no $id', () => {
  assert.throws(() => derefSchemas([{ type: 'string' }]), {
    message: 'Schema at index 0 has no "$id".'
  })
})
