import { ContentType } from '#shared/enums.ts'
import { expect, test } from 'vitest'
import { countLabel, type DocumentHitItem, titlePath, trimExcerpt } from '#web/features/search/hits.ts'

test('a count at the limit says that there may be more', () => {
  expect(countLabel({ total: 1234, more: false, type: ContentType.Document })).toBe('1,234 份文档')
  expect(countLabel({ total: 1000, more: true, type: ContentType.Document })).toBe('超过 1,000 份文档')
  expect(countLabel({ total: 2, more: false, type: ContentType.Article })).toBe('2 篇文章')
})

test('a title without the words leads to the page that has them', () => {
  const hit = { uuid: 'u', hitPage: 3, hitWords: '', titleRanges: [] as number[][] } as DocumentHitItem
  expect(titlePath(hit, '白鹭')).toBe(`/document/u?page=3&find=${encodeURIComponent('白鹭')}`)
  expect(titlePath({ ...hit, titleRanges: [[0, 2]] }, '白鹭')).toBe('/document/u')
  expect(titlePath({ ...hit, hitPage: 0 }, '白鹭')).toBe('/document/u')
})

test('an excerpt is trimmed so that the first hit is near its beginning', () => {
  const near = { text: '雪山日出', ranges: [[2, 4]] }
  expect(trimExcerpt(near)).toEqual(near)
  for (const filling of ['海', '😀']) {
    const before = filling.repeat(100)
    const { text, ranges } = trimExcerpt({
      text: `${before}日出，又日出`,
      ranges: [2, 6].map((at) => rangeAfter(before, at)),
    })
    expect(text).toMatch(new RegExp(`^…(${filling}){15,30}日出，又日出$`, 'u'))
    expect(ranges.map(([from, to]) => text.slice(from, to))).toEqual(['日出', '日出'])
  }
})

function rangeAfter({ length }: string, end: number): number[] {
  return [length + end - 2, length + end]
}
