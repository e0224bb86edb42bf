import { expect, test } from 'vitest'
import { categoryMeta } from '#web/features/documents/browse/category-meta.ts'
import { readQuery } from '#web/features/documents/browse/list-query.ts'

const path = [
  { id: 1, title: '教育' },
  { id: 5, title: '小学' },
]
const canonical = (text: string) =>
  categoryMeta({ path, query: readQuery(new URLSearchParams(text)) }, 'https://wenku.example.com/')[0]

test('each page of a category has one address, whatever it is narrowed to', () => {
  expect(canonical('page=2')).toMatchObject({ href: 'https://wenku.example.com/category/5?page=2' })
  expect(canonical('ext=pdf&page=2')).toMatchObject({ href: 'https://wenku.example.com/category/5' })
  expect(canonical('sort=view')).toMatchObject({ rel: 'canonical', href: 'https://wenku.example.com/category/5' })
})

test('search engines are told where the category stands', () => {
  const [, crumbs] = categoryMeta({ path, query: readQuery(new URLSearchParams()) }, '')
  expect(crumbs).toMatchObject({
    'script:ld+json': {
      itemListElement: [
        { position: 1, name: '首页' },
        { position: 2, name: '全部分类', item: '/category' },
        { position: 3, name: '教育', item: '/category/1' },
        { position: 4, name: '小学', item: '/category/5' },
      ],
    },
  })
})
