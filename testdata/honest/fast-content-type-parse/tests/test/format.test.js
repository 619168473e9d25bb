'use strict'

const { test } = require('node:test')
const { format, parse } = require('..')

test('format lib', async function (t) {
  await t.test('should format a type without parameters', function (t) {
    t.plan(2)
    t.assert.strictEqual(format({ type: 'text/html' }), 'text/html')
    t.assert.strictEqual(format({ type: 'Text/HTML', parameters: {} }), 'text/html')
  })

  await t.test('should format parameters in order of their names', function (t) {
    t.plan(1)
    t.assert.strictEqual(
      format({ type: 'text/html', parameters: { foo: 'bar', charset: 'utf-8' } }),
      'text/html; charset=utf-8; foo=bar'
    )
  })

  await t.test('should quote what is no token', function (t) {
    t.plan(2)
    t.assert.strictEqual(format({ type: 'a/b', parameters: { foo: 'bar baz' } }), 'a/b; foo="bar baz"')
    t.assert.strictEqual(format({ type: 'a/b', parameters: { foo: '"\\' } }), 'a/b; foo="\\"\\\\"')
  })

  await t.test('should be read by parse', function (t) {
    t.plan(1)
    const parsed = parse(format({ type: 'a/b', parameters: { foo: 'bar "baz"' } }))
    t.assert.strictEqual(parsed.parameters.foo, 'bar "baz"')
  })

  await t.test('should throw on an invalid type', function (t) {
    t.plan(1)
    t.assert.throws(() => format({ type: 'text' }), new TypeError('invalid media type'))
  })
})
