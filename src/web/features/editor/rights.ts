import { ReviewStatus } from '#shared/enums.ts'
import type { Article } from '#shared/contract/articles.ts'
import { hasPermission, type Session } from '#web/lib/session.ts'

type Author = Pick<Session, 'permissions' | 'groups'> & { user: { id: number } }
type ArticleRef = Pick<Article, 'user_id' | 'status'>

/** Whether a member may change an article; the server checks it again. */
export function canEdit(author: Author, { user_id }: ArticleRef): boolean {
  return user_id === author.user.id || hasPermission(author, 'ArticleAPI/UpdateArticle')
}

/** The label of the submit button, and what submitting does. */
export function submitOutcome(author: Author, article?: ArticleRef): { button: string; effect: string } {
  const isStaff = hasPermission(author, article ? 'ArticleAPI/UpdateArticle' : 'ArticleAPI/CreateArticle')
  if (isStaff && article) return { button: '保存', effect: staffEffects[article.status] }
  const isTrusted = author.groups.some(
    ({ enable_article, enable_article_approval }) => enable_article && !enable_article_approval,
  )
  if (!isStaff && !isTrusted) {
    const effect =
      article?.status === ReviewStatus.Approved
        ? '修改后需要重新审核，通过前暂不公开'
        : '审核通过后公开，结果见个人中心'
    return { button: '提交审核', effect }
  }
  return article ? { button: '保存并发布', effect: '保存后立即公开' } : { button: '发布', effect: '直接发布，立即公开' }
}

const staffEffects = {
  [ReviewStatus.Pending]: '保存后仍待审核',
  [ReviewStatus.Approved]: '保存后立即生效',
  [ReviewStatus.Rejected]: '保存后仍是未通过',
}
