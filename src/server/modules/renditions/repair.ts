import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Ctx, transaction } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { heldUpReasons } from './failures.ts'
import { enqueueReading } from './extract-text.ts'
import {
  afterOthers,
  documentsOf,
  enqueueConversion,
  findRendition,
  requestRendition,
  withoutFirstPages,
} from './renditions.queries.ts'
import { moveDocuments } from '#server/modules/documents/documents.status.ts'

const day = 24 * 60 * 60 * 1000
const atOnce = 200

/** Puts right what no job will: documents that nobody told, and conversions whose job has been given up or lost. */
export async function mend(ctx: Ctx): Promise<void> {
  await mendConversions(ctx)
  await mendReadings(ctx)
  await mendDocuments(ctx)
}

/** What waits for a program or for room is tried again when the site starts: perhaps that is why it was restarted. */
export async function resumeHeldUp(ctx: Ctx): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('job')
    .set({ run_at: ctx.now() })
    .where('state', '=', 'waiting')
    .where('key', 'in', (eb) =>
      eb
        .selectFrom('rendition')
        .select(sql<string>`'convert:' || hash`.as('key'))
        .where('state', '=', 'waiting')
        .where('reason', 'in', heldUpReasons),
    )
    .executeTakeFirstOrThrow()
  if (numUpdatedRows) ctx.emit('job.waiting', {})
}

/** What killed conversions left behind. A day old, so never what another process works with. */
export async function sweepWorkshop(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtimeMs < Date.now() - day) await rm(path, { recursive: true, force: true })
  }
}

/** A conversion that took its worker down each time has a job that was given up; it is not tried again by itself. */
async function mendConversions(ctx: Ctx): Promise<void> {
  const stuck = await ctx.db
    .selectFrom('rendition')
    .select(['hash', 'ext', 'updated_at'])
    .where('state', 'in', ['waiting', 'working'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('job')
            .select('job.id')
            .where('job.key', '=', sql<string>`'convert:' || rendition.hash`)
            .where('job.state', 'in', ['waiting', 'running']),
        ),
      ),
    )
    .limit(atOnce)
    .execute()
  for (const { hash, ext, updated_at } of stuck) {
    const givenUp = await ctx.db
      .selectFrom('job')
      .select('error')
      .where('key', '=', `convert:${hash}`)
      .where('state', '=', 'failed')
      .where('updated_at', '>=', updated_at)
      .executeTakeFirst()
    if (!givenUp) await enqueueConversion(ctx, { hash, ext }, afterOthers)
    else await giveUp(ctx, hash, givenUp.error)
  }
}

async function giveUp(ctx: Ctx, hash: string, detail: string): Promise<void> {
  await transaction(ctx, async (ctx) => {
    await ctx.db
      .updateTable('rendition')
      .set({ state: 'failed', reason: 'crashed', detail, ...withoutFirstPages, updated_at: ctx.now() })
      .where('hash', '=', hash)
      .execute()
    await moveDocuments(ctx, await documentsOf(ctx.db, hash), 'fail')
    ctx.emit('rendition.changed', { hash })
    ctx.emit('conversion.ended', { failed: true })
  })
}

/** A reading that was given up stays so; one that was lost begins again. */
async function mendReadings(ctx: Ctx): Promise<void> {
  for (const { hash, revision } of await lostReadings(ctx.db).execute()) await enqueueReading(ctx, { hash, revision })
}

/** In the index's own words: a database takes an index of some rows only if it sees that no others are asked for. */
export function lostReadings(db: Db) {
  return db
    .selectFrom('rendition')
    .select(['hash', 'revision'])
    .where('state', '=', sql.lit('done'))
    .whereRef('read_pages', '<', 'pages')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('job')
            .select('job.id')
            .where('job.key', '=', sql<string>`'read:' || rendition.hash || ':' || rendition.revision`),
        ),
      ),
    )
    .limit(atOnce)
}

/** A document that was approved or restored after its content was converted, or could not be. */
async function mendDocuments(ctx: Ctx): Promise<void> {
  const left = await ctx.db
    .selectFrom('document')
    .leftJoin('rendition', 'rendition.hash', 'document.hash')
    .select(['document.id', 'document.hash', 'document.ext'])
    .where('document.status', 'in', [0, 1, 5])
    .where(({ or, eb }) => or([eb('rendition.hash', 'is', null), eb('rendition.state', 'in', ['done', 'failed'])]))
    .orderBy('document.id')
    .limit(atOnce)
    .execute()
  for (const { id, hash, ext } of left) {
    await transaction(ctx, async (ctx) => {
      // Held, so that it does not change before the document has followed it.
      await ctx.db.updateTable('rendition').set({ updated_at: ctx.now() }).where('hash', '=', hash).execute()
      const rendition = await findRendition(ctx.db, hash)
      if (!rendition) await requestRendition(ctx, { hash, ext }, afterOthers)
      if (rendition?.state === 'failed') await moveDocuments(ctx, [id], 'fail')
      if (rendition?.state !== 'done') return
      const { pages, width, height } = rendition
      await ctx.db.updateTable('document').set({ pages, width, height }).where('id', '=', id).execute()
      await moveDocuments(ctx, [id], 'succeed')
    })
  }
}
