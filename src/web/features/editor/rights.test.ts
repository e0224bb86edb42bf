import { ReviewStatus } from '#shared/enums.ts'
import { expect, test } from 'vitest'
import { canEdit, submitOutcome } from '#web/features/editor/rights.ts'
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
  const permissions = methods.map((method, index) => ({
    id: index + 1,
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
    groups: groups.map((change) => ({ ...group, ...change })),
    permissions,
  }
}

test('members edit their own articles, staff with the permission all', () => {
  expect(canEdit(member([{}]), { user_id: 2, status: ReviewStatus.Approved })).toBe(true)
  expect(canEdit(member([{}]), { user_id: 3, status: ReviewStatus.Approved })).toBe(false)
  expect(canEdit(member([], ['UpdateArticle']), { user_id: 3, status: ReviewStatus.Approved })).toBe(true)
})

test('the button says whether the article will be reviewed', () => {
  const trusted = [{ enable_article_approval: true }, { enable_article_approval: false }]
  expect(submitOutcome(member([{}])).button).toBe('提交审核')
  expect(submitOutcome(member(trusted)).button).toBe('发布')
  expect(submitOutcome(member([{ enable_article: false, enable_article_approval: false }, {}])).button).toBe('提交审核')
})

test('the author of an approved article learns that an edit hides it until the review', () => {
  const own = { user_id: 2, status: ReviewStatus.Approved }
  expect(submitOutcome(member([{}]), own).effect).toContain('重新审核')
  expect(submitOutcome(member([{ enable_article_approval: false }]), own).effect).toContain('立即公开')
  expect(submitOutcome(member([{}], ['UpdateArticle']), own)).toEqual({ button: '保存', effect: '保存后立即生效' })
})
