/**
 * Browsers send what a link has behind its question mark in the encoding of the page: on a page in GBK, `?type=通知` is
 * another address than in UTF-8, and the only one that the server understands.
 */
export function encodeQuery(href: string, encoding: string): string {
  const start = href.indexOf('?')
  if (start < 0 || !legacyEncodings.has(encoding) || !/\P{ASCII}/u.test(href.slice(start))) return href
  const fragment = href.indexOf('#', start)
  const end = fragment < 0 ? href.length : fragment
  const codes = codesOf(encoding)
  const query = href
    .slice(start, end)
    .toWellFormed()
    .replace(/\P{ASCII}/gu, (char) => codes.get(char) ?? encodeURIComponent(char))
  return href.slice(0, start) + query + href.slice(end)
}

const legacyEncodings = new Set(['gb18030', 'big5'])
const known = new Map<string, Map<string, string>>()

/** Node.js decodes these encodings but does not encode them: the table is built from what it decodes. */
function codesOf(encoding: string): Map<string, string> {
  const codes = known.get(encoding) ?? new Map<string, string>()
  if (codes.size > 0) return codes
  const decoder = new TextDecoder(encoding)
  for (let first = 0x81; first <= 0xfe; first += 1) {
    for (let second = 0x40; second <= 0xfe; second += 1) {
      const char = decoder.decode(Uint8Array.of(first, second))
      // Two characters, or none: the pair is not assigned.
      if (/^\P{ASCII}$/u.test(char) && char !== '\ufffd' && !codes.has(char))
        codes.set(char, escape(first) + escape(second))
    }
  }
  known.set(encoding, codes)
  return codes
}

function escape(byte: number): string {
  return `%${byte.toString(16).toUpperCase()}`
}
