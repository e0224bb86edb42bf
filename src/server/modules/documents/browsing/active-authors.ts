import { sql } from 'kysely'
import type { documents } from '#shared/contract/documents.ts'
import { publicStatuses } from '#shared/document-status.ts'
import type { Reply } from '#shared/endpoint.ts'
import { Punishment, Visibility } from '#shared/enums.ts'
import { memoizeFor } from '#server/concurrency/memoize.ts'
import type { Ctx } from '#server/context.ts'
import { isVip } from '#server/modules/users/vip-members.ts'

type ActiveAuthors = Reply<typeof documents.activeAuthors>

const recentDays = 30
const dayMs = 24 * 60 * 60_000
const maxAuthors = 12
/** Fewer would be no list: then the members with most documents overall are shown. */
const minAuthors = 4
const cachedForMs = 5 * 60_000

/** The members with most documents for everyone of late, as far as their pages show them. */
export function openActiveAuthors(): (ctx: Ctx) => Promise<ActiveAuthors> {
  return memoizeFor(cachedForMs, async (ctx: Ctx) => {
    const recent = await findRecent(ctx)
    if (recent.length >= minAuthors) return { days: recentDays, author: recent }
    return { days: 0, author: await findOverall(ctx) }
  })
}

async function findRecent(ctx: Ctx): Promise<ActiveAuthors['author']> {
  const count = sql<number>`cast(count(*) as bigint)`
  const rows = await selectAuthors(ctx)
    .innerJoin('document', 'document.user_id', 'user.id')
    .select(count.as('count'))
    .where('document.created_at', '>=', ctx.now() - recentDays * dayMs)
    .where('document.deleted_at', 'is', null)
    .where('document.status', 'in', [...publicStatuses])
    .where('document.visibility', '=', Visibility.Public)
    .groupBy('user.id')
    .orderBy(count, 'desc')
    .orderBy('user.id')
    .execute()
  return rows.map((row) => present(ctx, row))
}

async function findOverall(ctx: Ctx): Promise<ActiveAuthors['author']> {
  const rows = await selectAuthors(ctx)
    .select('user.doc_count as count')
    .where('user.doc_count', '>', 0)
    .orderBy('user.doc_count', 'desc')
    .orderBy('user.id', 'desc')
    .execute()
  return rows.map((row) => present(ctx, row))
}

/** Neither deleted accounts nor disabled ones. */
function selectAuthors({ db, now }: Ctx) {
  return db
    .selectFrom('user')
    .select(['user.id', 'user.username', 'user.avatar', 'user.vip_until'])
    .where('user.deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('punishment')
            .select('punishment.id')
            .whereRef('punishment.user_id', '=', 'user.id')
            .where('punishment.type', '=', Punishment.Disabled)
            .where('punishment.enable', '=', 1)
            .where((eb) => eb.or([eb('punishment.end_time', 'is', null), eb('punishment.end_time', '>', now())])),
        ),
      ),
    )
    .limit(maxAuthors)
}

interface AuthorRow {
  id: number
  username: string
  avatar: string
  vip_until: number
  count: number
}

function present(ctx: Ctx, { vip_until, ...author }: AuthorRow): ActiveAuthors['author'][number] {
  return { ...author, is_vip: isVip(ctx, { vip_until }) }
}
