import { expect, test } from 'vitest'
import { startRows, typedRows } from './rows.ts'

const words = { text: '宋词', ranges: [], uuid: '', ext: '' }

test('words are looked for among what the box looks among; a title opens what it names', () => {
  const titled = { ...words, text: '宋词三百首', uuid: '0123456789abcdef', ext: '.pdf' }
  expect(typedRows([words, titled], 0).map(({ to }) => to)).toEqual([
    '/search?wd=%E5%AE%8B%E8%AF%8D&type=0',
    '/document/0123456789abcdef',
  ])
  const article = { ...words, text: '怎样读宋词', uuid: 'how-to-read' }
  expect(typedRows([words, article], 1).map(({ to }) => to)).toEqual([
    '/search?wd=%E5%AE%8B%E8%AF%8D&type=1',
    '/article/how-to-read',
  ])
})

test("before anything is typed, one's own words come first and are not said twice", () => {
  const rows = startRows(['宋词'], ['唐诗', '宋词'], 0)
  expect(rows.map(({ text, from }) => `${text} ${from}`)).toEqual(['宋词 recent', '唐诗 hot'])
})
