import { createHash } from 'node:crypto'

interface AllowedSources {
  dev: boolean
  /** Scripts of the owner's analytics, and the origins that they report to. */
  origins?: readonly string[]
  reportOrigins?: readonly string[]
  /** Other sites may show the page in a frame. */
  isEmbeddable?: boolean
}

/** The content security policy of a page: our own files, our inline scripts by hash, images and frames from anywhere safe. */
export function pagePolicy(
  scriptHashes: readonly string[],
  { dev, origins = [], reportOrigins = [], isEmbeddable = false }: AllowedSources,
): string {
  const inline = dev ? ["'unsafe-inline'"] : scriptHashes.map((hash) => `'sha256-${hash}'`)
  return [
    "default-src 'self'",
    ["script-src 'self'", ...inline, ...origins].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https: http:",
    "media-src 'self' data: blob: https:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...(dev ? ['ws:'] : []), ...reportOrigins].join(' '),
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    isEmbeddable ? 'frame-ancestors *' : "frame-ancestors 'self'",
  ].join('; ')
}

/**
 * Replaces the nonce of the scripts that we rendered by their hashes, which survive caching. A script that got into the
 * page in any other way has no nonce, so no hash, and does not run.
 */
export function hashInlineScripts(html: string, nonce: string): { html: string; hashes: string[] } {
  const hashes: string[] = []
  // Searching for the nonce is much faster than matching every tag of a long page.
  const parts = html.split(` nonce="${nonce}"`)
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1]
    if (before === undefined || before.lastIndexOf('<script') <= before.lastIndexOf('>')) continue
    const start = part.indexOf('>') + 1
    const code = part.slice(start, part.indexOf('</script>', start))
    if (code) hashes.push(createHash('sha256').update(code).digest('base64'))
  }
  return { html: parts.join(''), hashes: [...new Set(hashes)] }
}
