import { expect, test } from 'vitest'
import { documentKey } from '#web/features/documents/document-key.ts'

test.each([
  ['0123456789abcdef', { id: 0, uuid: '0123456789abcdef' }],
  ['12', { id: 12, uuid: '' }],
  ['0', undefined],
  ['012', undefined],
  ['x', undefined],
  ['99999999999', undefined],
  ['', undefined],
])('/document/%s names %j', (named, key) => {
  expect(documentKey(named)).toEqual(key)
})
