import { expect, test } from 'vitest'
import { ContentType } from '#shared/enums.ts'
import { packCategories, unpackCategories } from '#web/domain/packed-categories.ts'

const plain = {
  description: '',
  show_description: false,
  icon: '',
  cover: '',
  doc_count: 0,
  type: ContentType.Document,
}
const science = {
  ...plain,
  id: 1,
  parent_id: 0,
  title: '理学 "0" ^~ 5%7e',
  description: '从\n零开始',
  show_description: true,
  cover: '/c.png',
}
const maths = { ...plain, id: 2, parent_id: 1, title: '数学', doc_count: 7 }
const news = { ...plain, id: 3, parent_id: 0, title: '新闻', type: ContentType.Article }

test('categories come back as they were, as trees of documents and of articles', () => {
  expect(unpackCategories(packCategories([science, maths, news]))).toEqual({
    documentCategories: [{ ...science, children: [{ ...maths, children: [] }] }],
    articleCategories: [{ ...news, children: [] }],
  })
  expect(unpackCategories(packCategories([]))).toEqual({ documentCategories: [], articleCategories: [] })
})

test('empty cells take no space', () => {
  expect(packCategories([maths, { ...plain, id: 9, parent_id: 0, title: '空' }])).toBe('2^数学^1^7~9^空')
})

test('texts that look like empty cells are kept', () => {
  const odd = { ...plain, id: 4, parent_id: 0, title: '第^0', description: '0' }
  expect(unpackCategories(packCategories([odd])).documentCategories).toEqual([{ ...odd, children: [] }])
})

test('the same text gives the same trees', () => {
  const packed = packCategories([science])
  expect(unpackCategories(packed)).toBe(unpackCategories(packed))
})
