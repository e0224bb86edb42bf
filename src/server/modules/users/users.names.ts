import { errors } from '#shared/errors.ts'
import { formatTime } from '#shared/format.ts'
import { cleanName, isReservedName, nameKey, nameProblem, renameDays } from '#shared/names.ts'
import type { Ctx } from '#server/context.ts'
import type { UserRow } from './users.queries.ts'

const renameMs = renameDays * 86_400_000

export function acceptableName(username: string): string {
  const name = cleanName(username)
  const problem = nameProblem(name)
  if (problem === 'length') throw errors.users.nameLength()
  if (problem === 'address') throw errors.users.nameLooksLikeAddress()
  if (problem === 'characters') throw errors.users.nameHasOddCharacters()
  return name
}

/** A name is also taken for a while after its owner has given it up: readers would confuse the two. */
export async function assertNameFree(ctx: Ctx, name: string, ownerId = 0): Promise<void> {
  const key = nameKey(name)
  const taken = await ctx.db
    .selectFrom('user')
    .select('id')
    .where('id', '<>', ownerId)
    .where((eb) =>
      eb.or([
        eb('username_key', '=', key),
        eb('former_username_key', '=', key).and('username_changed_at', '>', ctx.now() - renameMs),
      ]),
    )
    .executeTakeFirst()
  if (taken) throw errors.users.nameTaken()
}

/** Until when a member keeps the present name; null when it can be changed. */
export function nameLockedUntil({ username_changed_at }: UserRow, now: number): number | null {
  const until = (username_changed_at ?? -renameMs) + renameMs
  return until > now ? until : null
}

/** The columns that change with the name: none if it stays. Staff may give any free name at any time. */
export async function renamedColumns(
  ctx: Ctx,
  user: UserRow,
  { username = user.username, byStaff }: { username: string | undefined; byStaff: boolean },
) {
  if (cleanName(username) === user.username) return {}
  if (username === '') throw errors.users.nameNeeded()
  const name = acceptableName(username)
  const lockedUntil = nameLockedUntil(user, ctx.now())
  if (!byStaff && lockedUntil !== null) throw errors.users.renamedLately(formatTime(lockedUntil))
  if (!byStaff && isReservedName(name)) throw errors.users.nameReserved()
  await assertNameFree(ctx, name, user.id)
  return {
    username: name,
    username_key: nameKey(name),
    former_username_key: user.username_key,
    username_changed_at: ctx.now(),
  }
}
