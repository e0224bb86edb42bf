import { afterAll, beforeAll, expect, test } from 'vitest'
import { groups } from '#shared/contract/access.ts'
import { documents } from '#shared/contract/documents.ts'
import { settings } from '#shared/contract/settings.ts'
import { users } from '#shared/contract/users.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { ReviewStatus } from '#shared/enums.ts'
import { type ArticleSite, openArticleSite } from '#server/testing/article-site.ts'
import type { Person } from '#server/testing/site.ts'

let site: ArticleSite
let category: number
beforeAll(async () => {
  site = await openArticleSite()
  category = await site.category('教材')
})
afterAll(() => site.close())

async function publishDocument(person: Person): Promise<DocumentStatus | undefined> {
  const { id } = await site.upload(person)
  const { document } = await person.call(documents.create, {
    document: [{ title: '讲义', attachment_id: id }],
    category_id: [category],
  })
  return document[0]?.status
}

test('on a new site members upload and publish with review', async () => {
  const member = await site.member()
  expect(await member.call(users.canUploadDocument)).toEqual({})
  expect(await member.call(users.canPublishArticle)).toEqual({})
  expect(await publishDocument(member)).toBe(DocumentStatus.InReview)
  expect((await site.createArticle(member)).status).toBe(ReviewStatus.Pending)
})

test('administrators need no review', async () => {
  expect(await publishDocument(site.root)).toBe(DocumentStatus.Pending)
  expect((await site.createArticle(site.root)).status).toBe(ReviewStatus.Approved)
})

test('visitors are told what new members may do, so that they are invited to nothing else', async () => {
  const told = async () => (await site.call(settings.get)).default_group
  expect(await told()).toEqual({ enable_upload: true, enable_article: true })
  const { group } = await site.root.call(groups.list)
  const standard = group.find(({ is_default }) => is_default)
  if (standard) await site.root.call(groups.update, { ...standard, enable_upload: false })
  expect(await told()).toEqual({ enable_upload: false, enable_article: true })
})
