import type { MiddlewareHandler } from 'hono'

export const closedPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** For web workers, which use WebAssembly and no network. */
export const workerPolicy = "default-src 'none'; script-src 'wasm-unsafe-eval'"

/** The service worker only fetches pages. */
export const serviceWorkerPolicy = "default-src 'none'; connect-src 'self'"

/** On every response. */
export const commonHeaders: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'SAMEORIGIN',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

/** A page has its own content security policy; all other responses get the closed one. */
export const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers } = context.res
  for (const [name, value] of Object.entries(commonHeaders)) if (!headers.has(name)) context.header(name, value)
  if (!headers.has('content-security-policy')) context.header('content-security-policy', closedPolicy)
}
