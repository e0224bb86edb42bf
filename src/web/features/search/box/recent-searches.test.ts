import { expect, test } from 'vitest'
import { parseRecentSearches, withoutSearch, withSearch } from '#web/features/search/box/recent-searches.ts'

test('the latest search comes first, without duplicates, and at most eight are stored', () => {
  expect(withSearch(['教案', '合同'], '数学')).toEqual(['数学', '教案', '合同'])
  expect(withSearch(['教案', 'Excel', '合同'], 'excel')).toEqual(['excel', '教案', '合同'])
  const many = Array.from({ length: 20 }, (_, n) => `词${n}`).reduce<readonly string[]>(withSearch, [])
  expect(many).toEqual(['词19', '词18', '词17', '词16', '词15', '词14', '词13', '词12'])
})

test('one of them can be removed', () => {
  expect(withoutSearch(['教案', 'Excel', '合同'], 'excel')).toEqual(['教案', '合同'])
})

test.each([
  [null, []],
  ['', []],
  ['{', []],
  ['{"a":1}', []],
  ['["数学",1,null,"","教案"]', ['数学', '教案']],
])('the storage %s gives the searches %j', (stored, words) => {
  expect(parseRecentSearches(stored)).toEqual(words)
})
