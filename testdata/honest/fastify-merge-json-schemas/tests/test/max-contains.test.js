'use strict'

const assert = require('node:assert/strict')
const { test } = require('node:test')
const { mergeSchemas } = require('../index')

test('should merge empty schema and maxContains keyword', () => {
  const schema1 = { type: 'array' }
  const schema2 = { type: 'array', maxContains: 42 }

  const mergedSchema = mergeSchemas([schema1, schema2])
  assert.deepStrictEqual(mergedSchema, { type: 'array', maxContains: 42 })
})

test('should merge different maxContains values', () => {
  const schema1 = { type: 'array', maxContains: 42 }
  const schema2 = { type: 'array', maxContains: 43 }

  const mergedSchema = mergeSchemas([schema1, schema2])
  assert.deepStrictEqual(mergedSchema, { type: 'array', maxContains: 42 })
})
