import { text as readText } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { openOutside } from './outbound/open.ts'
import { OutboundError, type OutboundFailure } from './outbound/outbound-error.ts'

/** The latest release of a repository. Its body is untrusted Markdown: never render it as HTML. */
export interface PublishedRelease {
  tag_name: string
  name: string
  body: string
  release_at: number | null
}

export type Publisher = 'github' | 'gitee'
export type Publishers = Record<Publisher, string>

export const publishers: Publishers = { github: 'https://api.github.com', gitee: 'https://gitee.com/api/v5' }

/** A message for the site's staff. */
export class ReleaseError extends Error {}

const timeoutMs = 8000
const maxBytes = 512 * 1024
const maxBodyLength = 20_000

/** Undefined when nothing has been released yet. */
export async function latestRelease(origin: string, repository: string): Promise<PublishedRelease | undefined> {
  const [owner = '', name = ''] = repository.split('/').map(encodeURIComponent)
  const { status, text } = await request(origin, `/repos/${owner}/${name}/releases/latest`)
  if (status >= 200 && status < 300) return parseRelease(text)
  if (status === 404) return undefined
  if (status === 403 || status === 429) throw new ReleaseError('查询过于频繁，请过一小时再试')
  throw new ReleaseError(`发布网站回答 ${status}`)
}

/** Follows redirects: a repository may have been renamed. */
async function request(origin: string, path: string): Promise<{ status: number; text: string }> {
  const isOfficial = Object.values(publishers).includes(origin)
  try {
    const { status, body } = await openOutside(`${origin}${path}`, {
      headers: { accept: 'application/json' },
      maxBytes,
      deadlineMs: timeoutMs,
      // A mirror may be in the owner's own network.
      allowsPrivate: (url) => !isOfficial && url.origin === new URL(origin).origin,
    })
    return { status, text: await readText(body) }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new ReleaseError(explanations[error.reason] ?? '连接不上发布网站', { cause: error })
  }
}

const explanations: Partial<Record<OutboundFailure, string>> = {
  timeout: '发布网站没有响应',
  'too-long': '回答过长',
}

/** GitHub has `published_at`, Gitee `created_at`. */
const ReleaseReply = z.object({
  tag_name: z.string().check(z.minLength(1), z.maxLength(64)),
  name: z.nullish(z.string()),
  body: z.nullish(z.string()),
  published_at: z.nullish(z.string()),
  created_at: z.nullish(z.string()),
})

function parseRelease(text: string): PublishedRelease {
  const { success, data } = z.safeParse(ReleaseReply, parseJson(text))
  if (!success) throw new ReleaseError('看不懂发布网站的回答')
  const at = Date.parse(data.published_at ?? data.created_at ?? '')
  return {
    tag_name: cleanText(data.tag_name, 64),
    name: cleanText(data.name ?? '', 200),
    body: cleanText(data.body ?? '', maxBodyLength),
    release_at: Number.isFinite(at) && at > 0 ? at : null,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function cleanText(text: string, length: number): string {
  return text.replaceAll('\0', '').slice(0, length).toWellFormed()
}
