import { DocumentStatus } from '#shared/document-status.ts'
import { createHash, randomBytes } from 'node:crypto'
import { getExt } from '#shared/document-kinds.ts'
import { type Ctx, transaction } from '#server/context.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { requestRendition } from '#server/modules/renditions/request.ts'
import { JobPriority } from '#server/jobs/queue.ts'
import type { Site } from './site.ts'

interface PublishInput {
  name: string
  content: Uint8Array | string
  owner?: { id: number }
  status?: typeof DocumentStatus.Pending | typeof DocumentStatus.InReview
}

/** A document as publishing leaves it: its file is stored, its conversion is queued. */
export async function publishDocument(
  site: Site,
  { name, content, owner, status = DocumentStatus.Pending }: PublishInput,
) {
  const ctx = await site.app.context()
  const bytes = Buffer.from(content)
  const hash = createHash('sha256').update(bytes).digest('hex')
  await ctx.storage.put(contentKey(hash), bytes)
  const ext = getExt(name)
  const id = await transaction(ctx, async (ctx) => {
    const userId = owner?.id ?? site.root.id
    const position = { priority: JobPriority.Upload, owner: userId }
    const { state, pages, width, height } = await requestRendition(ctx, { hash, ext }, position)
    const now = ctx.now()
    const row = await ctx.db
      .insertInto('document')
      .values({
        hash,
        ext,
        pages,
        width,
        height,
        size: bytes.length,
        title: name,
        uuid: randomBytes(8).toString('hex'),
        user_id: userId,
        attachment_id: 0,
        status: state === 'done' && status === DocumentStatus.Pending ? DocumentStatus.Converted : status,
        recommend_at: null,
        deleted_at: null,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  })
  return { id, hash }
}

export function documentRow({ db }: Pick<Ctx, 'db'>, id: number) {
  return db.selectFrom('document').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

export function renditionRow({ db }: Pick<Ctx, 'db'>, hash: string) {
  return db.selectFrom('rendition').selectAll().where('hash', '=', hash).executeTakeFirstOrThrow()
}

/** Runs the conversions and text extractions that are due; also outside a test, where `runDueJobs` cannot be called. */
export async function convertAll(site: Site): Promise<void> {
  const worker = site.app.work()
  const unfinished = () =>
    site.db
      .selectFrom('job')
      .select('id')
      .where('state', '<>', 'failed')
      .where('kind', 'like', 'renditions.%')
      .executeTakeFirst()
  while (await unfinished()) await new Promise((resolve) => setTimeout(resolve, 20))
  await worker.stop()
}
