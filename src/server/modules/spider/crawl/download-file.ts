import { rm } from 'node:fs/promises'
import { toTitle } from '#shared/document-kinds.ts'
import { AttachmentType } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { bit } from '#server/db/tables/column.ts'
import { documentLimit } from '../../attachments/attachments.policy.ts'
import { storeCrawledFile } from '../../attachments/crawled-files.ts'
import { findLibraryDocument } from '../../documents/documents.queries.ts'
import { fetchFile, type FileOutcome } from '../fetch/fetch-file.ts'
import { wantedExts } from './crawl-source.ts'
import type { SpiderDeps } from './deps.ts'
import { toRequest } from './read-page.ts'
import { recordDownload, recordLink, recordSame } from './record-download.ts'
import { recordFailure } from './record-failure.ts'
import type { DocumentWork, Measured, Turn } from './work.ts'

const megabyte = 1024 * 1024

/** Downloads a file; one that the library has already is linked, not stored twice. */
export async function downloadFile(ctx: Ctx, deps: SpiderDeps, work: DocumentWork, turn: Turn): Promise<void> {
  const startedAt = performance.now()
  const isCheck = work.kind === 'check'
  const known = isCheck ? {} : { etag: '', lastModified: '' }
  const request = { ...turn, ...toRequest(work), ...known, maxBytes: sizeLimit(ctx, work) }
  const fetched = await fetchFile(ctx, request, deps.folder)
  const duration_ms = Math.round(performance.now() - startedAt)
  if (fetched.kind === 'failed') return recordFailure(ctx, work, fetched, duration_ms)
  if (fetched.kind === 'unchanged') return recordSame(ctx, work, fetched, { bytes: 0, duration_ms })
  try {
    await keep(ctx, work, fetched, { bytes: fetched.size, duration_ms })
  } finally {
    await rm(fetched.path, { force: true })
  }
}

function sizeLimit(ctx: Ctx, { source }: DocumentWork): number {
  const { max_size } = source.rule
  return Math.min(documentLimit(ctx), max_size > 0 ? max_size * megabyte : Infinity)
}

type FetchedFile = Extract<FileOutcome, { kind: 'file' }>

async function keep(ctx: Ctx, work: DocumentWork, file: FetchedFile, measured: Measured): Promise<void> {
  const { row, source } = work
  const { hash, size } = file
  if (work.kind === 'check' && hash === row.hash) return recordSame(ctx, work, file, measured)
  const existing = await findLibraryDocument(ctx.db, hash)
  if (existing) return recordLink(ctx, work, { answer: file, measured, hash, size, document_id: existing.id })
  const stored = (await findStored(ctx, work, hash)) ?? (await storeCrawledFile(ctx, { ...file, ownerId: row.user_id }))
  if (!wantedExts(ctx, source.rule).includes(stored.ext)) throw errors.uploads.extDenied(stored.ext)
  const { attachmentId: attachment_id, name, ext } = stored
  const title = row.title || toTitle(name)
  await recordDownload(ctx, work, { answer: file, measured, hash, size, attachment_id, name, ext, title })
}

/** Stored by this document's last download, or by a process that was killed before it could write that down. */
async function findStored({ db }: Ctx, { row }: DocumentWork, hash: string) {
  return db
    .selectFrom('attachment')
    .select(['attachment.id as attachmentId', 'attachment.name', 'attachment.ext'])
    .where('attachment.hash', '=', hash)
    .where('attachment.user_id', '=', row.user_id)
    .where('attachment.type', '=', AttachmentType.CrawledDocument)
    .where('attachment.type_id', '=', 0)
    .where('attachment.enable', '=', bit(true))
    .where('attachment.deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('spider_document')
            .select('spider_document.id')
            .whereRef('spider_document.attachment_id', '=', 'attachment.id')
            .where('spider_document.id', '<>', row.id),
        ),
      ),
    )
    .orderBy('attachment.id')
    .limit(1)
    .executeTakeFirst()
}
