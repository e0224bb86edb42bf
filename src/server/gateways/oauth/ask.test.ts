import { expect, test } from 'vitest'
import { parseAnswer } from './ask.ts'

test.each([
  ['{"a":1}', { a: 1 }],
  ['callback( {"error":100016,"error_description":"x"} );', { error: 100_016, error_description: 'x' }],
  ['callback({"openid":"A"})\n', { openid: 'A' }],
  [
    'access_token=T&expires_in=7776000&refresh_token=R',
    { access_token: 'T', expires_in: '7776000', refresh_token: 'R' },
  ],
  ['[{"email":"a@b.c"}]', [{ email: 'a@b.c' }]],
  ['<html>busy</html>', {}],
  ['', {}],
])('%s', (text, expected) => {
  expect(parseAnswer(text)).toEqual(expected)
})
