import { type KvStore, Upload } from '@tus/server'
import type { Selectable } from 'kysely'
import { errors } from '#shared/errors.ts'
import type { MemberCtx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import type { Tables } from '#server/db/tables.ts'

export type UploadRow = Selectable<Tables['upload']>

/** The `state` of an upload that is complete and validated; before, it is the state of tus. */
export const complete = 'whole'

/** How long an upload may be paused. */
export const expiresMs = 24 * 60 * 60_000

export interface UploadRows extends KvStore {
  /** A complete upload, whose bytes may have been moved; undefined for others. */
  finished(id: string): Promise<Upload | undefined>
}

type StoredUpload = ConstructorParameters<typeof Upload>[0]

/** The table as the key-value store of tus. The row itself is inserted before, with its owner. */
export function uploadRows(db: Db): UploadRows {
  return {
    async finished(id) {
      const row = await db
        .selectFrom('upload')
        .select('size')
        .where('id', '=', id)
        .where('state', '=', complete)
        .executeTakeFirst()
      return row && new Upload({ id, size: row.size, offset: row.size })
    },
    async get(id) {
      const row = await db.selectFrom('upload').select(['state', 'expires_at']).where('id', '=', id).executeTakeFirst()
      if (!row?.state || row.state === complete) return undefined
      // For tus an upload expires after its creation; for us, after its latest request.
      const creation_date = new Date(row.expires_at - expiresMs).toISOString()
      return new Upload({ ...(JSON.parse(row.state) as StoredUpload), creation_date })
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

/** The viewer's own upload, if it has not expired. Those of other users count as missing. */
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

export async function markComplete(ctx: MemberCtx, id: string, hash: string): Promise<void> {
  await ctx.db
    .updateTable('upload')
    .set({ state: complete, hash, updated_at: ctx.now() })
    .where('id', '=', id)
    .execute()
}

export async function postponeExpiry(ctx: MemberCtx, id: string): Promise<void> {
  await ctx.db
    .updateTable('upload')
    .set({ expires_at: ctx.now() + expiresMs })
    .where('id', '=', id)
    .execute()
}
