import { type SelectQueryBuilder, sql } from 'kysely'
import type { Contributor } from '#shared/contract/review.ts'
import type { Ctx } from '#server/context.ts'
import type { Tables } from '#server/db/tables.ts'
import { findUser, type UserRow } from './users.queries.ts'

interface Work<T extends keyof Tables> {
  /** The member's counter of public work of this kind. */
  approved: (user: UserRow) => number
  rejections: SelectQueryBuilder<Tables, T, Rejection>
  pending: SelectQueryBuilder<Tables, T, { id: number }>
}

interface Rejection {
  title: string
  reason: string
  at: number
}

const maxRejections = 3

/** What a reviewer should know of a member: for how long, how much was approved and rejected, and punishments. */
export async function findContributor<T extends keyof Tables>(
  ctx: Ctx,
  userId: number,
  { approved, rejections, pending }: Work<T>,
): Promise<Contributor> {
  const user = await findUser(ctx.db, userId)
  if (!user) return deletedAccount
  const [punishments, rejected, rejection, waiting] = await Promise.all([
    findPunishments(ctx, userId),
    rejections
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    rejections.orderBy(sql.ref('at'), 'desc').orderBy(sql.ref('id'), 'desc').limit(maxRejections).execute(),
    pending
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  const { id, username, avatar, created_at } = user
  return {
    id,
    username,
    avatar,
    created_at,
    approved: approved(user),
    rejected: rejected.count,
    waiting: waiting.count,
    is_trusted: user.is_trusted === 1,
    ...punishments,
    rejection,
  }
}

const deletedAccount: Contributor = {
  id: 0,
  username: '已注销用户',
  avatar: '',
  created_at: null,
  approved: 0,
  rejected: 0,
  waiting: 0,
  is_trusted: false,
  punished: 0,
  punishment: [],
  rejection: [],
}

async function findPunishments({ db, now }: Ctx, userId: number) {
  const rows = await db
    .selectFrom('punishment')
    .select(['type', 'enable', 'end_time'])
    .where('user_id', '=', userId)
    .execute()
  const active = rows.filter(({ enable, end_time }) => enable === 1 && (end_time === null || end_time > now()))
  return { punished: rows.length, punishment: [...new Set(active.map(({ type }) => type))] }
}
