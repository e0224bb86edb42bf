import { normalizeAddress } from '../extract/normalize.ts'

/** The address that staff have written, in full, as the crawler knows it; undefined for what it cannot ask for. */
export function parseFullAddress(text: string, dropParams: readonly string[] = []): URL | undefined {
  const url = URL.parse(text.trim())
  return url ? normalizeAddress(url.href, url, dropParams) : undefined
}
