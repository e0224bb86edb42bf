import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { createHash } from 'node:crypto'
import { workerPolicy } from '../server/security-headers.ts'

interface StaticFile {
  path: string
  type: string
  immutable: boolean
  etag: string
  encodings: ('br' | 'gzip')[]
}

export type FileServer = (request: Request) => Response | undefined

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
const suffix = { br: '.br', gzip: '.gz' } as const

/**
 * Serves the built files of one folder. They are listed once, at the start: other paths do not exist, which rules out path
 * traversal and access to hidden files.
 */
export function fileServer(folder: string): FileServer {
  const files = listFiles(folder)
  const contents = new Map<string, Buffer<ArrayBuffer>>()
  const read = (path: string) => {
    const content = contents.get(path) ?? Buffer.from(readFileSync(path))
    contents.set(path, content)
    return content
  }

  return (request) => {
    const file = files.get(new URL(request.url).pathname)
    if (!file) return undefined
    const headers = new Headers({
      'content-type': file.type,
      'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      etag: file.etag,
      vary: 'accept-encoding',
    })
    if (/\.worker-[^/]+\.js$/.test(file.path)) headers.set('content-security-policy', workerPolicy)
    if (request.headers.get('if-none-match') === file.etag) return new Response(null, { status: 304, headers })
    const accepted = request.headers.get('accept-encoding') ?? ''
    const encoding = file.encodings.find((name) => accepted.includes(name))
    if (encoding) headers.set('content-encoding', encoding)
    const body = read(file.path + (encoding ? suffix[encoding] : ''))
    headers.set('content-length', String(body.length))
    return new Response(request.method === 'HEAD' ? null : body, { headers })
  }
}

function listFiles(folder: string): Map<string, StaticFile> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = new Set(entries.map((entry) => join(entry.parentPath, entry.name)))
  const files = new Map<string, StaticFile>()
  for (const path of paths) {
    const type = types[extname(path)]
    if (!type) continue
    const url = `/${relative(folder, path).split(sep).join('/')}`
    const { size, mtimeMs } = statSync(path)
    files.set(url, {
      path,
      type,
      immutable: url.startsWith('/assets/'),
      etag: `"${createHash('sha1').update(`${url}:${size}:${mtimeMs}`).digest('base64url')}"`,
      encodings: (['br', 'gzip'] as const).filter((name) => paths.has(path + suffix[name])),
    })
  }
  return files
}
