import { sql } from 'kysely'
import type { Ctx } from '#server/context.ts'
import { dayStart, toDay } from '#server/days.ts'
import { inList } from '#server/db/in-list.ts'
import type { Db } from '#server/db/open.ts'

type DayCounter = 'reads' | 'downloads' | 'favorites'

interface DayCount {
  documentId: number
  counter: DayCounter
  /** When what is counted happened; a favorite that is removed is taken from the day on which it was added. */
  at: number
  /** 1 unless it says otherwise. */
  change?: number
}

/** Longer than any ranking: a year and a month. */
const keptDays = 400

/** Counts on the document's day, never below 0. */
export async function countOnDay(db: Db, { documentId, counter, at, change = 1 }: DayCount): Promise<void> {
  const sum = sql<number>`${sql.ref(`document_day.${counter}`)} + ${change}`
  await db
    .insertInto('document_day')
    .values({ day: toDay(at), document_id: documentId, [counter]: Math.max(0, change) })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'document_id'])
        .doUpdateSet({ [counter]: sql<number>`case when ${sum} < 0 then 0 else ${sum} end` }),
    )
    .execute()
}

export async function deleteDocumentDays(db: Db, documentIds: readonly number[]): Promise<void> {
  await db
    .deleteFrom('document_day')
    .where(inList(db, 'document_id', documentIds))
    .execute()
}

export async function purgeDocumentDays({ db, now }: Ctx): Promise<void> {
  const oldest = toDay(dayStart(now(), keptDays))
  // A day at a time, so that other writers are not blocked for long.
  for (;;) {
    const first = await db
      .selectFrom('document_day')
      .select('day')
      .where('day', '<', oldest)
      .orderBy('day')
      .limit(1)
      .executeTakeFirst()
    if (!first) return
    await db.deleteFrom('document_day').where('day', '=', first.day).execute()
  }
}
