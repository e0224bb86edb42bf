import { looksLikeText } from '#server/convert/formats/decode-text.ts'

/** What a server sends, told by its first bytes: headers and extensions are often wrong. */

/** Enough to tell. */
export const headBytes = 4096

/** HTML, XML or a list of addresses, whatever their encoding. The header decides only about text without any markup. */
export function isPage(head: Buffer, contentType: string): boolean {
  if (head.length === 0 || isWebPage(head)) return true
  if (!looksLikeText(head) || /^(%PDF-|\{\\rtf)/.test(head.subarray(0, 8).toString('latin1'))) return false
  const text = toText(head)
  return skipComments(text).startsWith('<') || tag.test(text) || /html|xml/i.test(contentType) || isAddressList(text)
}

/** HTML: what a server shows instead of a file to visitors that have to log in, or to wait. */
export function isWebPage(head: Buffer): boolean {
  const text = toText(head)
  const start = skipComments(text)
  return start.startsWith('<') && (documentTag.test(start) || /<html[\s>]/i.test(text))
}

const tag = /<(a|b|body|br|center|div|font|h[1-6]|head|html|img|li|meta|p|script|span|table|title|ul)[\s/>]/i
const documentTag = /^<(!doctype\s+html|body|center|div|form|head|html|iframe|meta|script|style|table|title)[\s/>]/i

/** For markup, which is ASCII in all encodings but UTF-16. */
function toText(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le').decode(head)
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be').decode(head)
  return head.toString('latin1').replace(/^\xef\xbb\xbf/, '')
}

function skipComments(text: string): string {
  let rest = text.trimStart()
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->')
    // The comment is longer than what is known.
    if (end < 0) return rest
    rest = rest.slice(end + 3).trimStart()
  }
  return rest
}

/** The plainest form of a sitemap. */
function isAddressList(text: string): boolean {
  return /^\s*https?:\/\/\S+\s*(\n|$)/.test(text)
}
