import * as z from 'zod/mini'

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
  const response = await request(`${origin}/repos/${owner}/${name}/releases/latest`)
  if (response.ok) return parseRelease(await readText(response))
  // An unread body would keep the connection open.
  await response.body?.cancel()
  if (response.status === 404) return undefined
  if (response.status === 403 || response.status === 429) throw new ReleaseError('查询过于频繁，请过一小时再试')
  throw new ReleaseError(`发布网站回答 ${response.status}`)
}

async function request(url: string): Promise<Response> {
  try {
    return await fetch(url, {
      headers: { accept: 'application/json', 'user-agent': 'wendou' },
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error) {
    throw unreachable(error)
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength
      // Leaving the loop closes the connection.
      if (bytes > maxBytes) throw new ReleaseError('回答过长')
      text += decoder.decode(chunk, { stream: true })
    }
  } catch (error) {
    throw error instanceof ReleaseError ? error : unreachable(error)
  }
  return text + decoder.decode()
}

function unreachable(error: unknown): ReleaseError {
  const isLate = error instanceof Error && error.name === 'TimeoutError'
  return new ReleaseError(isLate ? '发布网站没有响应' : '连接不上发布网站')
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
