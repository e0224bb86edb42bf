import { expect, test } from 'vitest'
import { canPublish, canUpload, findInvitations } from '#web/domain/contributions.ts'
import { anonymous, type Session } from '#web/lib/session.ts'

type Group = Session['groups'][number]

const permission = {
  id: 1,
  method: 'GRPC',
  path: '/api.v1.ArticleAPI/CreateArticle',
  title: '',
  description: '',
  created_at: 0,
  updated_at: 0,
}

function member(rights: Pick<Group, 'enable_upload' | 'enable_article'>): Session {
  const group: Group = {
    id: 2,
    title: '普通用户',
    color: '',
    description: '',
    is_default: true,
    is_display: true,
    sort: 0,
    user_count: 1,
    enable_document_review: true,
    enable_comment: true,
    enable_comment_approval: true,
    enable_article_approval: true,
    created_at: 0,
    updated_at: 0,
    ...rights,
  }
  return { ...anonymous, token: 't', user: { ...anonymous.user, id: 5 }, groups: [group] }
}

const both = { enable_upload: true, enable_article: true }
const neither = { enable_upload: false, enable_article: false }

test('a group lets its members upload and publish; the permission to create articles does the latter, too', () => {
  expect([canUpload(member(both)), canPublish(member(both))]).toEqual([true, true])
  expect([canUpload(member(neither)), canPublish(member(neither))]).toEqual([false, false])
  expect(canPublish({ ...member(neither), permissions: [permission] })).toBe(true)
})

test('members are invited to what their groups may do, whatever new members may', () => {
  expect(findInvitations(member(both), { default_group: neither })).toEqual({ upload: true, publish: true })
  expect(findInvitations(member(neither), { default_group: both })).toEqual({ upload: false, publish: false })
})

test('visitors are invited to what new members may do', () => {
  expect(findInvitations(anonymous, { default_group: both })).toEqual({ upload: true, publish: true })
  const uploaders = { enable_upload: true, enable_article: false }
  expect(findInvitations(anonymous, { default_group: uploaders })).toEqual({ upload: true, publish: false })
})
