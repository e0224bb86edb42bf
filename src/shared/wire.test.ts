import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { flag, id, many, or, text, time, unsetTime } from './fields.ts'
import { decode, encode, fill, queryToObject, strip } from './wire.ts'

const input = z.object({
  id,
  name: or(text(10), ''),
  enable: z.optional(flag),
  page: many(z.int()),
  at: z.optional(time),
})

test('a query is read leniently: repeated keys, 1 and 0, empty values, unknown keys', () => {
  const query = queryToObject(new URLSearchParams('id=7&enable=1&page=1&page=2&at=&_t=9&name=a&name=b'))
  expect(decode(input, query)).toEqual({ id: 7, name: 'a', enable: true, page: [1, 2] })
})

test('a value that cannot be decoded is left for validation to name', () => {
  expect(decode(input, { id: 'seven', enable: 'maybe' })).toEqual({ id: 'seven', enable: 'maybe' })
})

test('null means not given, NUL and lone surrogates are removed from text', () => {
  expect(decode(input, { id: 1, name: 'a\0b\ud800', enable: null })).toEqual({ id: 1, name: 'ab\ufffd' })
})

test('keys of the prototype are not keys of the request', () => {
  const hostile: unknown = JSON.parse('{"__proto__": {"id": 5}, "constructor": 1}')
  expect(decode(input, hostile)).toEqual({})
})

test('times are RFC 3339 on the wire and milliseconds in code, in local form too', () => {
  const at = Date.UTC(2026, 10, 15, 3, 4, 5)
  expect(decode(input, { id: 1, at: '2026-11-15T03:04:05Z' })).toEqual({ id: 1, at })
  expect(encode(input, { id: 1, at })).toMatchObject({ at: '2026-11-15T03:04:05.000Z' })
  const local = new Date(2026, 10, 15, 3, 4, 5).getTime()
  expect(decode(input, { id: 1, at: '2026-11-15 03:04:05' })).toEqual({ id: 1, at: local })
})

const reply = z.object({
  total: z.int(),
  item: z.array(z.object({ id, title: z.string(), enable: flag, tags: z.array(z.string()), seen_at: unsetTime })),
})

test('a reply leaves out zero values and undeclared keys, and the zero values come back', () => {
  const row = { id: 1, title: '', enable: 0, tags: [], seen_at: null, password: 'secret' }
  const wire = strip(reply, { total: 0, item: [row] })
  expect(wire).toEqual({ item: [{ id: 1 }] })
  expect(fill(reply, wire)).toEqual({ total: 0, item: [{ id: 1, title: '', enable: false, tags: [], seen_at: null }] })
  expect(fill(reply, {})).toEqual({ total: 0, item: [] })
})

test('of several kinds of values, the first one says what was left out', () => {
  const failed = z.object({ reason: z.union([z.literal(''), z.enum(['timeout', 'robots'])]) })
  expect(strip(failed, { reason: '' })).toEqual({})
  expect(fill(failed, {})).toEqual({ reason: '' })
  expect(fill(failed, strip(failed, { reason: 'robots' }))).toEqual({ reason: 'robots' })
})
