import * as z from 'zod/mini'
import type { Ctx } from '#server/context.ts'
import type { Schedule } from '#server/jobs/schedule.ts'
import type { JobHandler, Lane } from '#server/jobs/worker.ts'
import { convert, type Workshop } from '#server/modules/renditions/convert.ts'
import { checkIndex, indexDocuments } from '#server/modules/search/index-documents.ts'
import { mend, resumeHeldUp, sweepWorkshop } from '#server/modules/renditions/repair.ts'
import { drawStretch, readStretch } from '#server/modules/renditions/extract-text.ts'
import { reconvert } from './publishing/reconvert.ts'
import { purgeDocuments } from './publishing/recycle-bin.ts'
import { removeRendition } from '#server/modules/renditions/remove.ts'

const hourMs = 3_600_000

export const documentSchedules: Schedule[] = [
  { kind: 'documents.mend', everyMs: 60_000 },
  { kind: 'documents.check-index', everyMs: hourMs },
]

const OfContent = z.object({ hash: z.string() })
const OfDocuments = z.object({ id: z.array(z.int()).check(z.minLength(1)) })
const OfIndex = z.object({ from: z._default(z.int(), 0), all: z._default(z.boolean(), false) })
const OfStretch = z.object({ hash: z.string(), revision: z.int(), from: z.int(), unread: z._default(z.int(), 0) })

/** Small things, done between others. */
export function documentJobs({ pictures }: Workshop): Record<string, JobHandler> {
  return {
    'documents.mend': (ctx) => mend(ctx),
    'documents.purge': (ctx, payload) => purgeDocuments(ctx, z.parse(OfDocuments, payload)),
    'documents.reconvert': async (ctx, payload) => {
      await reconvert(ctx, z.parse(OfDocuments, payload))
    },
    'rendition.remove': (ctx, payload) => removeRendition(ctx, pictures, z.parse(OfContent, payload).hash),
  }
}

/** Work that takes long goes in lanes: PDFs never wait for office files, and neither for the text of long documents. */
export function conversionLanes(shop: Workshop, processes: number): Lane[] {
  const converts: JobHandler = (ctx, payload, run) => convert(ctx, shop, { ...z.parse(OfContent, payload), run })
  return [
    { handlers: { 'document.convert': converts }, concurrency: processes },
    { handlers: { 'document.convert-office': converts }, concurrency: processes },
    {
      handlers: { 'documents.index': (ctx, payload) => indexDocuments(ctx, z.parse(OfDocuments, payload).id) },
      concurrency: 1,
    },
    // Edits are followed at once, however much is being checked or filed anew.
    {
      handlers: { 'documents.check-index': (ctx, payload) => checkIndex(ctx, z.parse(OfIndex, payload)) },
      concurrency: 1,
    },
    {
      handlers: {
        'document.read': (ctx, payload, run) => readStretch(ctx, z.parse(OfStretch, payload), run.signal),
        'document.draw': (ctx, payload, { signal }) =>
          drawStretch(ctx, shop.pictures, { stretch: z.parse(OfStretch, payload), signal }),
      },
      // One process stays free for people who are looking at pages.
      concurrency: Math.max(1, processes - 1),
    },
  ]
}

/** What a worker does before its first job. */
export async function beginConversions(ctx: Ctx, { folder }: Workshop): Promise<void> {
  await sweepWorkshop(folder)
  await resumeHeldUp(ctx)
}
