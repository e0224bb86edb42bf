import * as z from 'zod/mini'
import { coverKey, pagesPerSlice, sourceKey, textSliceKey } from '#server/modules/renditions/storage-keys.ts'
import { columnIn } from './former-names.ts'
import type { Row } from './rows.ts'
import type { Snapshot } from './snapshot.ts'

/** The columns of a rendition that say which files it has. */
const RenditionFiles = z.object({
  hash: z.string(),
  revision: z.int(),
  source_type: z.string(),
  is_derived: z.int(),
  has_cover: z.int(),
  text_pages: z.int(),
})
export type RenditionFiles = z.infer<typeof RenditionFiles>

/** A permanent part of the storage, as the site's rows name it. */
export const Content = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), hash: z.string(), needed: z.boolean() }),
  z.object({ kind: z.literal('rendition'), files: RenditionFiles }),
])
export type Content = z.infer<typeof Content>

export async function* listContents(snapshot: Snapshot, schema: readonly string[]): AsyncGenerator<Content> {
  const column = (name: Parameters<typeof columnIn>[1]) => `${columnIn(schema, name)} as ${name}`
  const files = snapshot.select(`select hash, ${column('deleting')},
    case when exists (select 1 from attachment where attachment.hash = stored_file.hash) then 1 else 0 end as used
    from stored_file`)
  for await (const rows of files)
    for (const { hash, deleting, used } of rows)
      yield { kind: 'file', hash: String(hash), needed: deleting === 0 && used === 1 }
  const renditions = snapshot.select(
    `select hash, revision, ${column('source_type')}, ${column('is_derived')}, has_cover, ${column('text_pages')}
    from rendition where pages > 0`,
  )
  for await (const rows of renditions) for (const row of rows) yield { kind: 'rendition', files: toRenditionFiles(row) }
}

/** Without these, pages, covers or the text of a document are missing; everything else is created on demand. */
export function neededKeys(files: RenditionFiles): string[] {
  const { hash, revision, source_type, is_derived, has_cover, text_pages } = files
  const keys = is_derived ? [sourceKey(hash, revision, source_type)] : []
  if (has_cover) keys.push(coverKey(hash, revision))
  for (let page = 1; page <= text_pages; page += pagesPerSlice) keys.push(textSliceKey(hash, revision, page))
  return keys
}

function toRenditionFiles(row: Row): RenditionFiles {
  const number = (column: keyof RenditionFiles) => Number(row[column])
  return {
    hash: String(row.hash),
    source_type: String(row.source_type),
    revision: number('revision'),
    is_derived: number('is_derived'),
    has_cover: number('has_cover'),
    text_pages: number('text_pages'),
  }
}
