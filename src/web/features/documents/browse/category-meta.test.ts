import { expect, test } from 'vitest'
import { categoryMeta } from '#web/features/documents/browse/category-meta.ts'
import { parseListQuery } from '#web/features/documents/browse/list-query.ts'

const path = [
  { id: 1, title: '教育', description: '', cover: '' },
  { id: 5, title: '小学', description: '小学的资料', cover: '/uploads/category/a.webp' },
]
const site = {
  settings: {
    system: {
      title: '',
      sitename: '某文库',
      description: '',
      keywords: '',
      domain: 'https://wenku.example.com/',
      logo: '',
    },
    security: { is_close: false, login_required: false },
  },
}
const meta = (text: string, rows = 10) =>
  categoryMeta(
    { path, query: parseListQuery(new URLSearchParams(text)), rows, listPath: '/category/5', title: '全部分类' },
    site,
  )
const canonical = (text: string) => meta(text).find((tag) => 'rel' in tag)

test('each page of a category has one canonical address, whatever its filters', () => {
  expect(canonical('page=2')).toMatchObject({ href: 'https://wenku.example.com/category/5?page=2' })
  expect(canonical('ext=pdf&page=2')).toMatchObject({ href: 'https://wenku.example.com/category/5' })
  expect(canonical('sort=view')).toMatchObject({ rel: 'canonical', href: 'https://wenku.example.com/category/5' })
})

test('search engines get the breadcrumb of the category', () => {
  expect(meta('').at(-1)).toMatchObject({
    'script:ld+json': {
      itemListElement: [
        { position: 1, name: '首页' },
        { position: 2, name: '全部分类', item: 'https://wenku.example.com/category' },
        { position: 3, name: '教育', item: 'https://wenku.example.com/category/1' },
        { position: 4, name: '小学', item: 'https://wenku.example.com/category/5' },
      ],
    },
  })
})

test('link previews have the category’s title, description and cover', () => {
  expect(meta('page=2')).toContainEqual({ title: '小学 – 教育（第 2 页） – 某文库' })
  expect(meta('')).toContainEqual({ name: 'description', content: '小学的资料' })
  expect(meta('')).toContainEqual({
    property: 'og:image',
    content: 'https://wenku.example.com/uploads/category/a.webp',
  })
})

test('search engines do not index pages beyond the last', () => {
  const hidden = { name: 'robots', content: 'noindex' }
  expect(meta('page=900', 0)).toContainEqual(hidden)
  expect(meta('page=2')).not.toContainEqual(hidden)
  expect(meta('', 0)).not.toContainEqual(hidden)
})

test('the list of all documents is a page of its own', () => {
  const query = parseListQuery(new URLSearchParams('page=2'))
  const tags = categoryMeta({ path: [], query, rows: 10, listPath: '/document', title: '全部文档' }, site)
  expect(tags[0]).toEqual({ title: '全部文档（第 2 页） – 某文库' })
  expect(tags.find((tag) => 'rel' in tag)).toMatchObject({ href: 'https://wenku.example.com/document?page=2' })
  expect(tags.at(-1)).toMatchObject({
    'script:ld+json': { itemListElement: [{ name: '首页' }, { name: '全部文档', position: 2 }] },
  })
})
