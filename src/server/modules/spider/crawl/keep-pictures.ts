import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { keepCrawledPicture } from '../../attachments/pictures/receive.ts'
import { fetchFile, type FileOutcome } from '../fetch/fetch-file.ts'
import { claimHost, releaseHost } from '../fetch/hosts.ts'
import { type CrawlSource, ownPort } from './crawl-source.ts'
import type { SpiderDeps } from './deps.ts'
import { isUnsent } from './failures.ts'
import type { Turn } from './work.ts'

interface Illustrated {
  /** As the extractor writes it: `src` is the first attribute of a picture. */
  content: string
  /** Addresses, as they stand in the content. */
  pictures: readonly string[]
  ownerId: number
  source: CrawlSource
  turn: Turn
}

const maxBytes = 10 * 1024 * 1024
const pictureMs = 30_000
/** For a host that is busy or wants to be asked later: the article's own host is held meanwhile. */
const waitMs = 20_000
const lookMs = 1000

/** Fetches the pictures of an article, politely, and lets the article show them from here; those that cannot be kept are left out. */
export async function keepPictures(
  ctx: Ctx,
  deps: SpiderDeps,
  { content, pictures, ownerId, source, turn }: Illustrated,
): Promise<{ content: string; bytes: number }> {
  const paths = new Map<string, string>()
  let bytes = 0
  for (const url of pictures) {
    const file = await fetchPicture(ctx, deps, { url, source, turn })
    if (file?.kind !== 'file') continue
    bytes += file.size
    try {
      paths.set(url, await keepCrawledPicture(ctx, { path: file.path, name: file.name, ownerId }))
    } catch (error) {
      // No picture, or one that this site does not take.
      if (!(error instanceof AppError)) throw error
    } finally {
      await rm(file.path, { force: true })
    }
  }
  return { content: replacePictures(content, paths), bytes }
}

interface Picture {
  url: string
  source: CrawlSource
  turn: Turn
}

/** Undefined when its host has no time for it. */
async function fetchPicture(ctx: Ctx, deps: SpiderDeps, picture: Picture): Promise<FileOutcome | undefined> {
  const { url, turn } = picture
  const origin = URL.parse(url)?.origin
  if (!origin) return undefined
  if (origin === turn.lease.origin) return request(ctx, deps, picture)
  for (let waited = 0; waited <= waitMs; waited += lookMs) {
    const lease = await claimHost(ctx, origin, { isBeyondLimit: true })
    if (!lease) {
      await sleep(lookMs, undefined, { signal: turn.signal })
      continue
    }
    try {
      return await request(ctx, deps, { ...picture, turn: { ...turn, lease } })
    } finally {
      await releaseHost(ctx, lease)
    }
  }
  return undefined
}

async function request(ctx: Ctx, deps: SpiderDeps, { url, source, turn }: Picture): Promise<FileOutcome | undefined> {
  const port = ownPort(source, url)
  const send = async (): Promise<FileOutcome | undefined> => {
    const signal = AbortSignal.any([turn.signal, AbortSignal.timeout(pictureMs)])
    const asked = { url, etag: '', lastModified: '', maxBytes, ...(port !== undefined && { port }), ...turn, signal }
    try {
      return await fetchFile(ctx, asked, deps.folder)
    } catch (error) {
      if (turn.signal.aborted || !signal.aborted) throw error
      return undefined
    }
  }
  const answer = await send()
  if (answer?.kind !== 'failed' || !isUnsent(answer)) return answer
  const waited = (answer.retryAt ?? 0) - ctx.now()
  if (waited > waitMs) return answer
  await sleep(Math.max(0, waited), undefined, { signal: turn.signal })
  return send()
}

const pictureTag = /<img src="([^"]*)"((?:[^>"]|"[^"]*")*)>/g

function replacePictures(content: string, paths: ReadonlyMap<string, string>): string {
  return content.replace(pictureTag, (_tag, address: string, attributes: string) => {
    const path = paths.get(address.replaceAll('&amp;', '&'))
    return path === undefined ? '' : `<img src="${path}"${attributes}>`
  })
}
