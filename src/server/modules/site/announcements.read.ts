import { sql } from 'kysely'
import type { announcements, PublishedAnnouncement } from '#shared/contract/announcements.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { AnnouncementAudience } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { listRows } from '#server/db/list.ts'
import { bit } from '#server/db/tables/column.ts'
import { toAnnouncementHtml } from './announcements.html.ts'
import { isRunning } from './schedule.ts'

/** More would not be a strip any more. */
const maxCurrent = 5
const newestFirst = [
  ['published_at', 'desc'],
  ['id', 'desc'],
] as const

export async function listCurrent(ctx: Ctx): Promise<Reply<typeof announcements.current>> {
  const [visible, running] = await Promise.all([
    selectVisible(ctx)
      .where(isRunning(ctx.now()))
      .orderBy('published_at', 'desc')
      .orderBy('id', 'desc')
      .limit(maxCurrent)
      .execute(),
    ctx.db
      .selectFrom('announcement')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(isRunning(ctx.now()))
      .executeTakeFirstOrThrow(),
  ])
  return { announcement: visible.map((row) => present(ctx, row)), running: running.count }
}

export async function listPublished(
  ctx: Ctx,
  input: Input<typeof announcements.published>,
): Promise<Reply<typeof announcements.published>> {
  const { total, rows } = await listRows(
    selectVisible(ctx),
    { ...input, wd: '', order: '' },
    { order: newestFirst, sizes: { min: 1, max: 100, default: 20 } },
  )
  return { total, announcement: rows.map((row) => present(ctx, row)) }
}

/** Staff read drafts too, and announcements for others. */
export async function readAnnouncement(
  ctx: Ctx,
  { id }: Input<typeof announcements.read>,
): Promise<Reply<typeof announcements.read>> {
  const query = ctx.viewer.can('AnnouncementAPI/ListAnnouncement') ? select(ctx) : selectVisible(ctx)
  const row = await query.select('content').where('id', '=', id).executeTakeFirst()
  if (!row) throw errors.announcements.notFound()
  return { ...present(ctx, row), html: toAnnouncementHtml(row.content) }
}

function select({ db }: Ctx) {
  return db
    .selectFrom('announcement')
    .select(['id', 'title', 'end_time'])
    .select(sql<number>`coalesce(start_time, created_at)`.as('published_at'))
}

/** Published, whether or not it is over, and for this viewer. */
function selectVisible(ctx: Ctx) {
  const { viewer } = ctx
  const groupIds = viewer.groups.map(({ id }) => id)
  const { Everyone, Members, Groups } = AnnouncementAudience
  return select(ctx)
    .where('enable', '=', bit(true))
    .where((eb) => eb.or([eb('start_time', 'is', null), eb('start_time', '<=', ctx.now())]))
    .where((eb) =>
      eb.or([
        eb('audience', 'in', viewer.id === 0 ? [Everyone] : [Everyone, Members]),
        eb.and([
          eb('audience', '=', Groups),
          eb.exists(
            eb
              .selectFrom('announcement_group')
              .select('group_id')
              .whereRef('announcement_id', '=', 'announcement.id')
              .where('group_id', 'in', [0, ...groupIds]),
          ),
        ]),
      ]),
    )
}

function present(
  { now }: Ctx,
  { id, title, end_time, published_at }: { id: number; title: string; end_time: number | null; published_at: number },
): PublishedAnnouncement {
  return { id, title, published_at, is_over: end_time !== null && end_time <= now() }
}
