import { isSignedIn, type Session } from '#web/lib/session.ts'

export interface Rights {
  own: boolean
  edit: boolean
  delete: boolean
  check: boolean
  recommend: boolean
}

/** What a member may do with an article. The server decides again by itself. */
export function rightsTo({ user_id }: { user_id: number }, session: Session): Rights {
  const signedIn = isSignedIn(session)
  const own = signedIn && session.user.id === user_id
  const holds = (deed: string) => signedIn && session.permissions.some(({ path }) => path.endsWith(`/${deed}`))
  return {
    own,
    edit: own || holds('UpdateArticle'),
    delete: own || holds('DeleteArticle'),
    check: holds('CheckArticles'),
    recommend: holds('RecommendArticles'),
  }
}
