import { expect, test } from 'vitest'
import { parsed, withWords } from '#web/features/site/suggest/recent-words.ts'

test('the latest words come first, each once, and no more than eight', () => {
  expect(withWords(['教案', '合同'], '数学')).toEqual(['数学', '教案', '合同'])
  expect(withWords(['教案', 'Excel', '合同'], 'excel')).toEqual(['excel', '教案', '合同'])
  const many = Array.from({ length: 20 }, (_, n) => `词${n}`).reduce<string[]>(withWords, [])
  expect(many).toEqual(['词19', '词18', '词17', '词16', '词15', '词14', '词13', '词12'])
})

test.each([
  [null, []],
  ['', []],
  ['{', []],
  ['{"a":1}', []],
  ['["数学",1,null,"","教案"]', ['数学', '教案']],
])('stored as %s, the words are %j', (stored, words) => {
  expect(parsed(stored)).toEqual(words)
})
