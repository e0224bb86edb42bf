import * as z from 'zod/mini'
import { bookKey, coverKey, linesKey, pagesPerSlice } from '#server/modules/renditions/storage-keys.ts'
import type { Row } from './rows.ts'
import type { Snapshot } from './snapshot.ts'

/** The part of a rendition's row that says what was made. */
const Made = z.object({
  hash: z.string(),
  revision: z.int(),
  type: z.string(),
  made: z.int(),
  has_cover: z.int(),
  read_pages: z.int(),
})
export type Made = z.infer<typeof Made>

/** What a site keeps in its storage for good, as its rows name it. */
export const Content = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), hash: z.string(), needed: z.boolean() }),
  z.object({ kind: z.literal('rendition'), made: Made }),
])
export type Content = z.infer<typeof Content>

export async function* contentsOf(snapshot: Snapshot): AsyncGenerator<Content> {
  const files = snapshot.select(`select hash, leaving,
    case when exists (select 1 from attachment where attachment.hash = stored_file.hash) then 1 else 0 end as used
    from stored_file`)
  for await (const rows of files)
    for (const { hash, leaving, used } of rows)
      yield { kind: 'file', hash: String(hash), needed: leaving === 0 && used === 1 }
  const renditions = snapshot.select(
    'select hash, revision, type, made, has_cover, read_pages from rendition where pages > 0',
  )
  for await (const rows of renditions) for (const row of rows) yield { kind: 'rendition', made: madeOf(row) }
}

/** Without these, pages, covers or the text of a document are missing; everything else is made when it is asked for. */
export function neededKeys({ hash, revision, type, made, has_cover, read_pages }: Made): string[] {
  const keys = made ? [bookKey(hash, revision, type)] : []
  if (has_cover) keys.push(coverKey(hash, revision))
  for (let page = 1; page <= read_pages; page += pagesPerSlice) keys.push(linesKey(hash, revision, page))
  return keys
}

function madeOf(row: Row): Made {
  const number = (column: keyof Made) => Number(row[column])
  return {
    hash: String(row.hash),
    type: String(row.type),
    revision: number('revision'),
    made: number('made'),
    has_cover: number('has_cover'),
    read_pages: number('read_pages'),
  }
}
