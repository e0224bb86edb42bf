import { Readable } from 'node:stream'
import type { annotations } from '#shared/contract/reading.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { FileReply } from '#shared/fields.ts'
import { formatTime } from '#shared/format.ts'
import type { MemberCtx } from '#server/context.ts'
import { toFileName } from '#server/modules/downloads/file-name.ts'
import { listAnnotations } from './annotations.ts'
import { listBookmarks } from './bookmarks.ts'
import { maxPerDocument } from './marks.ts'
import { type DocumentNotes, renderNotes } from './markdown.ts'

/** The caller's notes and bookmarks in one document, or in all of them, as a Markdown file. */
export async function exportNotes(
  ctx: MemberCtx,
  { document_id }: Input<typeof annotations.export>,
): Promise<FileReply> {
  const ids = document_id > 0 ? [document_id] : await findMarkedDocuments(ctx)
  const [first] = ids
  const notes = first === undefined ? undefined : await findNotes(ctx, first)
  if (!notes) throw errors.reading.nothingToExport()
  const day = formatTime(ctx.now()).slice(0, 10)
  const title = document_id > 0 ? `${notes.title} 读书笔记` : `读书笔记 ${day}`
  return {
    name: toFileName('', { title, ext: '.md' }),
    type: 'text/markdown; charset=utf-8',
    body: Readable.toWeb(Readable.from(renderAll(ctx, ids), { objectMode: false })) as ReadableStream<Uint8Array>,
  }
}

async function* renderAll(ctx: MemberCtx, ids: readonly number[]): AsyncGenerator<string> {
  const { domain } = ctx.settings.system
  let separator = ''
  for (const id of ids) {
    const notes = await findNotes(ctx, id)
    if (!notes) continue
    yield separator + renderNotes(notes, domain)
    separator = '\n'
  }
}

/** Those with the latest marks first. */
async function findMarkedDocuments({ db, viewer }: MemberCtx): Promise<number[]> {
  const rows = await db
    .selectFrom(
      db
        .selectFrom('annotation')
        .select(['document_id', 'updated_at'])
        .where('user_id', '=', viewer.id)
        .unionAll(db.selectFrom('bookmark').select(['document_id', 'updated_at']).where('user_id', '=', viewer.id))
        .as('mark'),
    )
    .select('document_id')
    .groupBy('document_id')
    .orderBy(({ fn }) => fn.max('updated_at'), 'desc')
    .orderBy('document_id', 'desc')
    .execute()
  return rows.map(({ document_id }) => document_id)
}

async function findNotes(ctx: MemberCtx, document_id: number): Promise<DocumentNotes | undefined> {
  const all = (size: number) => ({ document_id, page: 1, size, wd: '', order: '', field: [] })
  const [{ annotation }, { bookmark }] = await Promise.all([
    listAnnotations(ctx, all(maxPerDocument.annotation)),
    listBookmarks(ctx, all(maxPerDocument.bookmark)),
  ])
  const [first] = [...annotation, ...bookmark]
  if (!first) return undefined
  return { title: first.title, uuid: first.document_uuid, annotations: annotation, bookmarks: bookmark }
}
