import { errors } from '#shared/errors.ts'
import type { MemberCtx } from '#server/context.ts'
import { refusePunished } from '../access/access.policy.ts'

/** Articles are written by members of groups that may, and by those who manage articles. */
export function refuseWriter(ctx: MemberCtx): void {
  refuseSilenced(ctx)
  const { viewer } = ctx
  if (!viewer.can('ArticleAPI/CreateArticle') && !viewer.groups.some(({ enable_article }) => enable_article))
    throw errors.users.publishDenied()
}

export function refuseSilenced(ctx: MemberCtx): void {
  refusePunished(ctx, 1, 6)
}
