import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Ctx } from '#server/context.ts'
import type { PageLines } from '#server/convert/converter.ts'
import { linesKey, pagesPerSlice } from './storage-keys.ts'

const compress = promisify(gzip)
const inflate = promisify(gunzip)

/** The text of pages `from`..`to`; empty for pages that have not been read yet. */
export async function pageTexts(
  ctx: Pick<Ctx, 'storage'>,
  hash: string,
  revision: number,
  from: number,
  to: number,
): Promise<string[]> {
  const texts: string[] = []
  for (let page = from; page <= to;) {
    const slice = await readSlice(ctx, linesKey(hash, revision, page))
    const known = new Map(slice?.map((lines) => [lines.page, lines]))
    const end = Math.min(to, endOfSlice(page))
    for (; page <= end; page += 1) texts.push(textOfPage(known.get(page)))
  }
  return texts
}

export function textOfPage(page: PageLines | undefined): string {
  return (page?.lines ?? []).map(([, , , , text]) => text).join('\n')
}

export function endOfSlice(page: number): number {
  return Math.ceil(page / pagesPerSlice) * pagesPerSlice
}

/** Undefined while nobody has read these pages. */
export async function readSlice({ storage }: Pick<Ctx, 'storage'>, key: string): Promise<PageLines[] | undefined> {
  const stored = await storage.read(key)
  if (!stored) return undefined
  const json = await inflate(await buffer(stored))
  return JSON.parse(json.toString('utf8')) as PageLines[]
}

export async function writeSlice({ storage }: Pick<Ctx, 'storage'>, key: string, pages: PageLines[]): Promise<void> {
  await storage.put(key, await compress(JSON.stringify(pages)))
}
