import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ctx } from '#server/context.ts'
import type { Converter } from '#server/convert/converter.ts'
import { jobKey } from '#server/jobs.ts'
import { JobPriority } from '#server/jobs/queue.ts'
import type { JobRun } from '#server/jobs/worker.ts'
import { type ConversionDeps, convert } from '#server/modules/renditions/convert.ts'
import { documentsOfRendition } from '#server/modules/documents/documents.observer.ts'
import { renditionPrefix } from '#server/modules/renditions/storage-keys.ts'
import { openPageImages } from '#server/modules/renditions/page-images.ts'
import type { Site } from './site.ts'

/** Converts without the job queue; a test can replace parts of the converter by `contextWithConverter`. */
export function openConversionSite() {
  const root = mkdtempSync(join(tmpdir(), 'wendou-conversion-'))
  const deps: ConversionDeps = {
    workDir: join(root, 'work'),
    pageImages: openPageImages(join(root, 'pages')),
    observer: documentsOfRendition,
    headStartMs: 0,
  }
  return {
    ...deps,
    convertBy(ctx: Ctx, hash: string, run: Partial<JobRun> = {}): Promise<void> {
      const { signal } = new AbortController()
      const usual = { attempt: 1, last: false, priority: JobPriority.Normal, owner: 0, signal }
      return convert(ctx, deps, { hash, run: { ...usual, ...run } })
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

export async function contextWithConverter(site: Site, parts: Partial<Converter>): Promise<Ctx> {
  const ctx = await site.app.context()
  return { ...ctx, converter: { ...ctx.converter, ...parts } }
}

/** The conversion job is leased to a worker that never renews its lease. */
export async function leaseToDeadWorker(site: Site, hash: string): Promise<void> {
  const { now } = await site.app.context()
  await site.db
    .updateTable('job')
    .set({ state: 'running', worker: 'dead', attempts: 1, lease_until: now() + 60_000 })
    .where('key', '=', jobKey('renditions.convert', { hash }))
    .execute()
}

/** The storage keys of a file's renditions. */
export async function listRenditionFiles(site: Site, hash: string): Promise<string[]> {
  const { storage } = await site.app.context()
  const keys: string[] = []
  for await (const { key } of storage.list(renditionPrefix(hash))) keys.push(key)
  return keys
}
