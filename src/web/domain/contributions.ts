import type { PublicSettings } from '#shared/contract/settings.ts'
import { useSite } from '#web/domain/site.ts'
import { hasPermission, isSignedIn, type Session, useSession } from '#web/lib/session.ts'

type Author = Pick<Session, 'permissions' | 'groups'>

/** By the groups; the server checks it again. */
export function canUpload({ groups }: Pick<Session, 'groups'>): boolean {
  return groups.some(({ enable_upload }) => enable_upload)
}

export function canPublish(author: Author): boolean {
  return hasPermission(author, 'ArticleAPI/CreateArticle') || author.groups.some(({ enable_article }) => enable_article)
}

interface Invitations {
  upload: boolean
  publish: boolean
}

/** What the viewer of a page is invited to by its buttons and empty lists. */
export function useInvitations(): Invitations {
  return findInvitations(useSession(), useSite().settings)
}

/** Visitors, who are asked to log in first, are invited to what new members may do. */
export function findInvitations(
  session: Session,
  { default_group }: Pick<PublicSettings, 'default_group'>,
): Invitations {
  if (isSignedIn(session)) return { upload: canUpload(session), publish: canPublish(session) }
  return { upload: default_group.enable_upload, publish: default_group.enable_article }
}
