import type { MiddlewareHandler } from 'hono'

const closed = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** Workers have a policy of their own. Ours compute, by WebAssembly, and reach nothing. */
export const workerPolicy = "default-src 'none'; script-src 'wasm-unsafe-eval'"

/** The worker behind the pages fetches them, and does nothing else. */
export const serviceWorkerPolicy = "default-src 'none'; connect-src 'self'"

/** On every response, whatever it is. */
export const always: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'SAMEORIGIN',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

/** Every response carries these; a page brings its own content policy, everything else gets the closed one. */
export const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers } = context.res
  for (const [name, value] of Object.entries(always)) if (!headers.has(name)) context.header(name, value)
  if (!headers.has('content-security-policy')) context.header('content-security-policy', closed)
}

interface Allowed {
  dev: boolean
  /** Whose scripts the owner of the site has asked for, and whom these tell. */
  origins?: readonly string[]
  listeners?: readonly string[]
}

/** What a page may load: our own files, the inline scripts we rendered (by their hashes), pictures and frames from anywhere safe. */
export function pagePolicy(scriptHashes: readonly string[], { dev, origins = [], listeners = [] }: Allowed): string {
  const inline = dev ? ["'unsafe-inline'"] : scriptHashes.map((hash) => `'sha256-${hash}'`)
  return [
    "default-src 'self'",
    ["script-src 'self'", ...inline, ...origins].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https: http:",
    "media-src 'self' data: blob: https:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...(dev ? ['ws:'] : []), ...listeners].join(' '),
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ')
}
