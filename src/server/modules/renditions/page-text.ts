import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Ctx } from '#server/context.ts'
import type { PageLines } from '#server/convert/converter.ts'
import type { Rendition } from './renditions.queries.ts'
import { pagesPerSlice, textSliceKey } from './storage-keys.ts'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

interface PageSpan {
  hash: string
  revision: number
  from: number
  to: number
}

/** The text of pages `from`..`to`; empty for pages whose text is not extracted yet. */
export async function readPageTexts(
  ctx: Pick<Ctx, 'storage'>,
  { hash, revision, from, to }: PageSpan,
): Promise<string[]> {
  const texts: string[] = []
  for (let page = from; page <= to;) {
    const slice = await readSlice(ctx, textSliceKey(hash, revision, page))
    const byPage = new Map(slice?.map((lines) => [lines.page, lines]))
    const end = Math.min(to, sliceEnd(page))
    for (; page <= end; page += 1) texts.push(pageToText(byPage.get(page)))
  }
  return texts
}

export function pageToText(page: PageLines | undefined): string {
  return (page?.lines ?? []).map(([, , , , text]) => text).join('\n')
}

/** Less than this on each page is what scanners and stamps leave. */
const minCharsPerPage = 10
const enoughChars = 500

/** Whether a reader gets something from the text alone. */
export function hasText({ text_pages, excerpt }: Pick<Rendition, 'text_pages' | 'excerpt'>): boolean {
  return text_pages > 0 && excerpt.length >= Math.min(enoughChars, minCharsPerPage * text_pages)
}

/** The last page of the slice that a page is in. */
export function sliceEnd(page: number): number {
  return Math.ceil(page / pagesPerSlice) * pagesPerSlice
}

/** Undefined while the text of these pages is not extracted. */
export async function readSlice({ storage }: Pick<Ctx, 'storage'>, key: string): Promise<PageLines[] | undefined> {
  const stored = await storage.read(key)
  if (!stored) return undefined
  const json = await decompress(await buffer(stored))
  return JSON.parse(json.toString('utf8')) as PageLines[]
}

export async function writeSlice({ storage }: Pick<Ctx, 'storage'>, key: string, pages: PageLines[]): Promise<void> {
  await storage.put(key, await compress(JSON.stringify(pages)))
}
