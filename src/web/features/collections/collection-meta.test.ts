import { expect, test } from 'vitest'
import { CollectionVisibility } from '#shared/collections.ts'
import { ContentType, ReviewStatus } from '#shared/enums.ts'
import { collectionMeta } from './collection-meta.ts'

const collection = {
  uuid: 'a1',
  title: '喝茶的书',
  description: '',
  visibility: CollectionVisibility.Public as CollectionVisibility,
  status: ReviewStatus.Approved as ReviewStatus,
  cover: ['/view/cover/1'],
  item_count: 1,
  user: { id: 7, username: '收书的人', avatar: '', is_vip: false },
}
const items = [{ title: '茶经', type: ContentType.Document, uuid: 'd1' }]

function textOf(change: Partial<typeof collection>, shown = items): string {
  return JSON.stringify(collectionMeta({ collection: { ...collection, ...change }, items: shown, page: 1 }, undefined))
}

test('a collection is described by its owner and items, in their order', () => {
  const text = textOf({})
  for (const part of [
    '喝茶的书（文集）',
    '收书的人 整理的文集，共 1 项。',
    '"position":1,"name":"茶经","url":"/document/d1"',
  ])
    expect(text).toContain(part)
  expect(text).not.toContain('noindex')
})

test('what is not public, not approved or empty is not for search engines', () => {
  expect(textOf({ visibility: CollectionVisibility.Unlisted })).toContain('noindex')
  expect(textOf({ status: ReviewStatus.Pending })).toContain('noindex')
  expect(textOf({}, [])).toContain('noindex')
})
