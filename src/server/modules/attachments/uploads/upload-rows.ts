import { type KvStore, Upload } from '@tus/server'
import type { Selectable } from 'kysely'
import { errors } from '#shared/errors.ts'
import type { MemberCtx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type UploadRow = Selectable<Tables['upload']>

/** What stands in `state` once all bytes have come and were looked at; until then it is what tus keeps. */
export const whole = 'whole'

/** How long an upload may rest. */
export const expiresMs = 24 * 60 * 60_000

export interface UploadRows extends KvStore {
  /** An upload whose bytes have moved on; undefined while they are still here. */
  finished(id: string): Promise<Upload | undefined>
}

type Kept = ConstructorParameters<typeof Upload>[0]

/** The table as tus sees it. The row itself is made before, with its owner. */
export function uploadRows(db: Db): UploadRows {
  return {
    async finished(id) {
      const row = await db
        .selectFrom('upload')
        .select('size')
        .where('id', '=', id)
        .where('state', '=', whole)
        .executeTakeFirst()
      return row && new Upload({ id, size: row.size, offset: row.size })
    },
    async get(id) {
      const row = await db.selectFrom('upload').select(['state', 'expires_at']).where('id', '=', id).executeTakeFirst()
      if (!row?.state || row.state === whole) return undefined
      // To tus an upload expires so long after it was created; to us, so long after it last went on.
      const creation_date = new Date(row.expires_at - expiresMs).toISOString()
      return new Upload({ ...(JSON.parse(row.state) as Kept), creation_date })
    },
    async set(id, upload) {
      await db
        .updateTable('upload')
        .set({ state: JSON.stringify(upload) })
        .where('id', '=', id)
        .execute()
    },
    async delete(id) {
      await db.deleteFrom('upload').where('id', '=', id).execute()
    },
  }
}

/** One's own upload that has not expired. Others' do not exist, as far as anybody can tell. */
export async function getOwnUpload(ctx: MemberCtx, id: string): Promise<UploadRow> {
  const row = await ctx.db
    .selectFrom('upload')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', ctx.viewer.id)
    .where('expires_at', '>', ctx.now())
    .executeTakeFirst()
  if (!row) throw errors.uploads.notFound()
  return row
}

export async function markWhole(ctx: MemberCtx, id: string, hash: string): Promise<void> {
  await ctx.db.updateTable('upload').set({ state: whole, hash, updated_at: ctx.now() }).where('id', '=', id).execute()
}

export async function postponeExpiry(ctx: MemberCtx, id: string): Promise<void> {
  await ctx.db
    .updateTable('upload')
    .set({ expires_at: ctx.now() + expiresMs })
    .where('id', '=', id)
    .execute()
}
