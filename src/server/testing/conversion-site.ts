import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ctx } from '#server/context.ts'
import type { Converter } from '#server/convert/converter.ts'
import type { JobRun } from '#server/jobs/worker.ts'
import { convert, type Workshop } from '#server/modules/renditions/convert.ts'
import { renditionPrefix } from '#server/modules/renditions/storage-keys.ts'
import { openPictures } from '#server/modules/renditions/page-images.ts'
import type { Site } from './site.ts'

/** A place to convert in without the queue, by a converter of which parts behave as a test wants them to. */
export function openWorkshop() {
  const root = mkdtempSync(join(tmpdir(), 'wendou-workshop-'))
  const shop: Workshop = { folder: join(root, 'work'), pictures: openPictures(join(root, 'pages')) }
  return {
    ...shop,
    convertBy(ctx: Ctx, hash: string, run: Partial<JobRun> = {}): Promise<void> {
      const usual = { attempt: 1, last: false, signal: new AbortController().signal }
      return convert(ctx, shop, { hash, run: { ...usual, ...run } })
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

export async function contextWith(site: Site, parts: Partial<Converter>): Promise<Ctx> {
  const ctx = await site.app.context()
  return { ...ctx, converter: { ...ctx.converter, ...parts } }
}

/** A worker has taken it, and is not heard of again. */
export async function takeJob(site: Site, hash: string): Promise<void> {
  const { now } = await site.app.context()
  await site.db
    .updateTable('job')
    .set({ state: 'running', worker: 'dead', attempts: 1, lease_until: now() + 60_000 })
    .where('key', '=', `convert:${hash}`)
    .execute()
}

/** What is kept of a content's conversions. */
export async function keptOf(site: Site, hash: string): Promise<string[]> {
  const { storage } = await site.app.context()
  const keys: string[] = []
  for await (const { key } of storage.list(renditionPrefix(hash))) keys.push(key)
  return keys
}
