import { expect, test } from 'vitest'
import { ContentType } from '#shared/enums.ts'
import { startRows, typedRows } from '#web/features/search/box/suggestion-rows.ts'

const words = { text: '宋词', ranges: [], uuid: '', ext: '' }

test('words search in the box’s content type; a title opens its document or article', () => {
  const titled = { ...words, text: '宋词三百首', uuid: '0123456789abcdef', ext: '.pdf' }
  expect(typedRows([words, titled], ContentType.Document).map(({ to }) => to)).toEqual([
    '/search?wd=%E5%AE%8B%E8%AF%8D&type=0',
    '/document/0123456789abcdef',
  ])
  const article = { ...words, text: '怎样读宋词', uuid: 'how-to-read' }
  expect(typedRows([words, article], ContentType.Article).map(({ to }) => to)).toEqual([
    '/search?wd=%E5%AE%8B%E8%AF%8D&type=1',
    '/article/how-to-read',
  ])
})

test('an empty box lists recent searches first, without duplicates', () => {
  const rows = startRows(['宋词'], ['唐诗', '宋词'], ContentType.Document)
  expect(rows.map(({ text, from }) => `${text} ${from}`)).toEqual(['宋词 recent', '唐诗 hot'])
})
