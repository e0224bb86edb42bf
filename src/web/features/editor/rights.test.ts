import { expect, test } from 'vitest'
import { mayEdit, mayWrite, outcomeOf } from '#web/features/editor/rights.ts'
import { anonymous, type Session } from '#web/lib/session.ts'

type Group = Session['groups'][number]

const group: Group = {
  id: 1,
  title: '会员',
  color: '',
  description: '',
  is_default: true,
  is_display: false,
  sort: 0,
  user_count: 0,
  enable_upload: true,
  enable_document_review: false,
  enable_comment: true,
  enable_comment_approval: false,
  enable_article: true,
  enable_article_approval: true,
  created_at: 0,
  updated_at: 0,
}

function member(groups: Partial<Group>[], methods: string[] = []): Session {
  const permissions = methods.map((method, at) => ({
    id: at + 1,
    method: 'GRPC',
    path: `/api.v1.ArticleAPI/${method}`,
    title: '',
    description: '',
    created_at: 0,
    updated_at: 0,
  }))
  return {
    ...anonymous,
    token: 't',
    user: { ...anonymous.user, id: 2 },
    groups: groups.map((given) => ({ ...group, ...given })),
    permissions,
  }
}

test('a group lets its members write, and so does the permission', () => {
  expect(mayWrite(member([{}]))).toBe(true)
  expect(mayWrite(member([{ enable_article: false }]))).toBe(false)
  expect(mayWrite(member([], ['CreateArticle']))).toBe(true)
})

test('members edit their own, those with the permission all', () => {
  expect(mayEdit(member([{}]), { user_id: 2, status: 1 })).toBe(true)
  expect(mayEdit(member([{}]), { user_id: 3, status: 1 })).toBe(false)
  expect(mayEdit(member([], ['UpdateArticle']), { user_id: 3, status: 1 })).toBe(true)
})

test('the button says whether it is reviewed', () => {
  const trusted = [{ enable_article_approval: true }, { enable_article_approval: false }]
  expect(outcomeOf(member([{}])).button).toBe('提交审核')
  expect(outcomeOf(member(trusted)).button).toBe('发布')
  expect(outcomeOf(member([{ enable_article: false, enable_article_approval: false }, {}])).button).toBe('提交审核')
})

test('who edits an approved article learns that it will be hidden for a while', () => {
  const own = { user_id: 2, status: 1 }
  expect(outcomeOf(member([{}]), own).says).toContain('重新审核')
  expect(outcomeOf(member([{ enable_article_approval: false }]), own).says).toContain('立即公开')
  expect(outcomeOf(member([{}], ['UpdateArticle']), own)).toEqual({ button: '保存', says: '保存后立即生效' })
})
