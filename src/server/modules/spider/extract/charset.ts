import { isUtf8 } from 'node:buffer'

/** Browsers look for a declaration here, too. */
const declarationBytes = 1_024
/** Pages whose server cut a character in half are still UTF-8. */
const maxBrokenShare = 0.1

/** Decodes a page by its byte order mark, its declarations, or its bytes, in that order, where the bytes agree. */
export function decodeBody(body: Uint8Array, contentType: string): { text: string; encoding: string } {
  const encoding = bomOf(body) ?? detect(body, contentType)
  return { text: new TextDecoder(encoding).decode(body), encoding }
}

function bomOf(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  return undefined
}

function detect(body: Uint8Array, contentType: string): string {
  const declared = declaredIn(body, contentType)
  if (declared === undefined) return isUtf8(body) ? 'utf-8' : 'gb18030'
  if (declared === 'utf-8') return isUtf8(body) || isNearlyUtf8(body) ? 'utf-8' : 'gb18030'
  return isUtf8(body) && hasWideCharacters(body) ? 'utf-8' : declared
}

function declaredIn(body: Uint8Array, contentType: string): string | undefined {
  const sent = encodingOf(/charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(contentType)?.[1])
  const beginning = Buffer.from(body.subarray(0, declarationBytes)).toString('latin1')
  // UTF-16 cannot be declared by letters of one byte.
  const written = encodingOf(
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(beginning)?.[1] ??
      /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/i.exec(beginning)?.[1],
  )?.replace(/^utf-16.*/, 'utf-8')
  // Web servers send windows-1252 (ISO-8859-1) by default, whatever the page is.
  return sent === 'windows-1252' ? (written ?? (isUtf8(body) ? sent : 'gb18030')) : (sent ?? written)
}

/** The name by which the encoding is decoded; undefined for unknown ones. */
function encodingOf(label: string | undefined): string | undefined {
  if (!label) return undefined
  try {
    const { encoding } = new TextDecoder(label)
    // Pages with rare characters are declared as the older, smaller sets.
    return encoding === 'gbk' ? 'gb18030' : encoding
  } catch {
    return undefined
  }
}

function isNearlyUtf8(body: Uint8Array): boolean {
  let broken = 0
  let whole = 0
  for (const char of new TextDecoder().decode(body)) {
    if (char === '\ufffd') broken += 1
    else if (char > '\u007f') whole += 1
  }
  return broken <= whole * maxBrokenShare
}

/** Short texts in other encodings can look like UTF-8 of two bytes, never of three. */
function hasWideCharacters(body: Uint8Array): boolean {
  return body.some((byte) => byte >= 0xe0)
}
