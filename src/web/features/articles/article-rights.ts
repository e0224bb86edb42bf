import { hasPermission, isSignedIn, type Session } from '#web/lib/session.ts'

export interface Rights {
  own: boolean
  edit: boolean
  delete: boolean
  check: boolean
  recommend: boolean
}

/** What the visitor may do with an article; the server checks it again. */
export function articleRights({ user_id }: { user_id: number }, session: Session): Rights {
  const own = isSignedIn(session) && session.user.id === user_id
  return {
    own,
    edit: own || hasPermission(session, 'ArticleAPI/UpdateArticle'),
    delete: own || hasPermission(session, 'ArticleAPI/DeleteArticle'),
    check: hasPermission(session, 'ArticleAPI/CheckArticles'),
    recommend: hasPermission(session, 'ArticleAPI/RecommendArticles'),
  }
}
