import type { Selectable } from 'kysely'
import type { OauthType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Identity } from '#server/gateways/oauth/oauth-provider.ts'
import { enabledOauthTypes, familyOf, oauthTitle } from '#server/gateways/oauth/providers.ts'
import { hasOtherWayIn } from '#server/modules/users/sign-in/ways-in.ts'

/** A person as one provider knows them. */
export interface KnownPerson extends Omit<Identity, 'email'> {
  type: OauthType
}

type BindingRow = Selectable<Tables['oauth_binding']>

/** The binding of this very account; else one of the same person's account at another app of that provider. */
export async function findBinding(ctx: Ctx, person: KnownPerson): Promise<BindingRow | undefined> {
  const own = await ctx.db
    .selectFrom('oauth_binding')
    .selectAll()
    .where('type', '=', person.type)
    .where('issuer', '=', person.issuer)
    .where('openid', '=', person.openid)
    .executeTakeFirst()
  if (own || person.unionid === '') return own
  return ctx.db
    .selectFrom('oauth_binding')
    .selectAll()
    .where('unionid', '=', person.unionid)
    .where('type', 'in', familyOf(person.type))
    .orderBy('id')
    .executeTakeFirst()
}

/** Throws if another member has bound the account, or the member has bound another of the same kind. */
export function bindPerson(ctx: Ctx, userId: number, person: KnownPerson): Promise<void> {
  return transaction(ctx, async (ctx) => {
    // Two calls of one member at once follow each other.
    await lockRows(ctx, 'user', [userId])
    const existing = await findBinding(ctx, person)
    if (existing && existing.user_id !== userId) throw errors.oauth.boundToOther()
    const { type, issuer, openid, unionid } = person
    const shown = { name: person.name.slice(0, 100), avatar: person.avatar.slice(0, 500), updated_at: ctx.now() }
    const bound = await findOwn(ctx, userId, type)
    // The same person, perhaps by another name since the owner has another app at the provider.
    if (bound && existing && (bound.id === existing.id || bound.unionid === unionid)) {
      const columns = { ...shown, issuer, openid, unionid: unionid || bound.unionid }
      await ctx.db.updateTable('oauth_binding').set(columns).where('id', '=', bound.id).execute()
      return
    }
    await assertNoOther(ctx, userId, person)
    try {
      await ctx.db
        .insertInto('oauth_binding')
        .values({ user_id: userId, type, issuer, openid, unionid, ...shown, created_at: ctx.now() })
        .execute()
    } catch (error) {
      throw isTaken(error) ? errors.oauth.boundToOther() : error
    }
  })
}

function findOwn(ctx: Ctx, userId: number, type: OauthType): Promise<BindingRow | undefined> {
  const query = ctx.db.selectFrom('oauth_binding').selectAll().where('user_id', '=', userId).where('type', '=', type)
  return query.executeTakeFirst()
}

/** A member has one account of each provider. */
async function assertNoOther(ctx: Ctx, userId: number, { type, unionid }: KnownPerson): Promise<void> {
  const bound = await ctx.db
    .selectFrom('oauth_binding')
    .select(['type', 'unionid'])
    .where('user_id', '=', userId)
    .where('type', 'in', familyOf(type))
    .execute()
  const isOther = bound.some((row) => row.type === type || (row.unionid && unionid && row.unionid !== unionid))
  if (isOther) throw errors.oauth.boundAlready(oauthTitle(ctx.settings, type))
}

/** Also what the same provider's other apps know the member by: otherwise the next log-in would bind it again. */
export function unbind(ctx: MemberCtx, { type }: { type: OauthType }): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { id } = ctx.viewer
    // Two calls at once, for two providers, must not both count on the other.
    await lockRows(ctx, 'user', [id])
    const family = familyOf(type)
    const removed = await ctx.db
      .deleteFrom('oauth_binding')
      .where('user_id', '=', id)
      .where('type', 'in', family)
      .returning('id')
      .execute()
    if (removed.length === 0) throw errors.oauth.notBound()
    if (!(await hasUsableBinding(ctx)) && !(await hasOtherWayIn(ctx, id, 'oauth'))) throw errors.oauth.lastWayIn()
  })
}

async function hasUsableBinding(ctx: MemberCtx): Promise<boolean> {
  const enabled = enabledOauthTypes(ctx.settings)
  const rows = await ctx.db.selectFrom('oauth_binding').select('type').where('user_id', '=', ctx.viewer.id).execute()
  return rows.some(({ type }) => enabled.includes(type))
}

export async function listOwnBindings(ctx: MemberCtx) {
  const { settings, viewer, db } = ctx
  const [rows, user] = await Promise.all([
    db
      .selectFrom('oauth_binding')
      .select(['type', 'name', 'avatar', 'created_at'])
      .where('user_id', '=', viewer.id)
      .orderBy('id')
      .execute(),
    db.selectFrom('user').select('password').where('id', '=', viewer.id).executeTakeFirstOrThrow(),
  ])
  return {
    oauth: rows.map((row) => ({ ...row, title: oauthTitle(settings, row.type) })),
    has_password: user.password !== '',
  }
}
