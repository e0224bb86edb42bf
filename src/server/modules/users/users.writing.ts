import { Punishment } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { MemberCtx } from '#server/context.ts'
import { assertNotPunished } from '#server/modules/access/access.policy.ts'

/** Members of groups that may write articles, and staff who manage articles. */
export function assertCanWrite(ctx: MemberCtx): void {
  assertNotSilenced(ctx)
  const { viewer } = ctx
  if (!viewer.can('ArticleAPI/CreateArticle') && !viewer.groups.some(({ enable_article }) => enable_article))
    throw errors.users.publishDenied()
}

export function assertNotSilenced(ctx: MemberCtx): void {
  assertNotPunished(ctx, Punishment.Disabled, Punishment.NoArticle)
}
