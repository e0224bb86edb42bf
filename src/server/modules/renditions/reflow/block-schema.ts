import * as z from 'zod/mini'
import type { Block, Inline } from '#shared/reflow.ts'

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

const block: z.ZodMiniType<Block> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('paragraph'), content }),
  z.object({ kind: z.literal('heading'), level: z.literal([1, 2, 3, 4]), content }),
  z.object({ kind: z.literal('item'), marker: z.string(), depth: z.int(), content }),
  z.object({ kind: z.literal('quote'), content }),
  z.object({ kind: z.literal('code'), text: z.string() }),
  z.object({ kind: z.literal('table'), hasHead: z.boolean(), rows: z.array(z.array(content)) }),
  z.object({ kind: z.literal('rule') }),
])

export function parseBlocks(value: unknown): Block[] {
  return z.array(block).parse(value)
}
