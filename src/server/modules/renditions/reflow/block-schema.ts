import * as z from 'zod/mini'
import type { Block, Inline } from '#shared/reflow.ts'
import type { PictureFile } from '#server/convert/formats/blocks/book-pictures.ts'

/** What the sandbox made of an untrusted file is checked before it is stored. */
const inline: z.ZodMiniType<Inline> = z.lazy(() =>
  z.union([
    z.string(),
    z.object({
      mark: z.enum(['bold', 'italic', 'code', 'superscript', 'subscript', 'strike', 'underline']),
      content: z.array(inline),
    }),
  ]),
)

const content = z.array(inline)

/** A picture is read from the file that it is a part of. */
export type StoredBlock = Exclude<Block, { kind: 'picture' }> | StoredPicture
export type StoredPicture = Extract<Block, { kind: 'picture' }> & { file: PictureFile }

/** As they are stored: with what only the server needs to know. */
export interface StoredPage {
  page: number
  blocks: StoredBlock[]
}

const bytes = z.int().check(z.nonnegative())
const file = z.object({ at: bytes, length: bytes, isDeflated: z.boolean(), size: bytes })

const block: z.ZodMiniType<StoredBlock> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('paragraph'), content }),
  z.object({ kind: z.literal('heading'), level: z.literal([1, 2, 3, 4]), content }),
  z.object({ kind: z.literal('item'), marker: z.string(), depth: z.int(), content }),
  z.object({ kind: z.literal('quote'), content }),
  z.object({ kind: z.literal('code'), text: z.string() }),
  z.object({ kind: z.literal('table'), hasHead: z.boolean(), rows: z.array(z.array(content)) }),
  z.object({ kind: z.literal('rule') }),
  z.object({ kind: z.literal('picture'), width: z.int(), height: z.int(), alt: z.string(), file }),
])

export function parseBlocks(value: unknown): StoredBlock[] {
  return z.array(block).parse(value)
}
