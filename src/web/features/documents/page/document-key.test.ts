import { expect, test } from 'vitest'
import { parseDocumentKey } from '#web/features/documents/page/document-key.ts'

test.each([
  ['0123456789abcdef', { id: 0, uuid: '0123456789abcdef' }],
  ['12', { id: 12, uuid: '' }],
  ['0', undefined],
  ['012', undefined],
  ['x', undefined],
  ['99999999999', undefined],
  ['', undefined],
])('/document/%s has the key %j', (text, key) => {
  expect(parseDocumentKey(text)).toEqual(key)
})
