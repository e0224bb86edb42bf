import { readPart, toLatin1, xmlText } from '#web/features/documents/upload/file-title/read-part.ts'

/** How much is read of the beginning and of the end; the trailer and most Info dictionaries are there. */
const windowLength = 128 * 1024
const objectLength = 4096

/** The title in the Info dictionary, else in uncompressed XMP. What lies in compressed object streams is not read. */
export async function readPdfTitle(file: Blob): Promise<string> {
  const tail = toLatin1(await readPart(file, file.size - windowLength, windowLength))
  const head = file.size > windowLength ? toLatin1(await readPart(file, 0, windowLength)) : ''
  // The strings of an encrypted file are unreadable.
  if (/\/Encrypt\s+\d/.test(tail)) return ''
  const info = /\/Info\s+(\d+)\s+(\d+)\s+R/.exec(tail) ?? /\/Info\s+(\d+)\s+(\d+)\s+R/.exec(head)
  const object = info ? await findObject(file, { number: Number(info[1]), head, tail }) : ''
  return titleOf(object) || xmpTitle(tail) || xmpTitle(head)
}

interface ObjectSearch {
  number: number
  head: string
  tail: string
}

/** By the cross-reference table, else by its heading in what has been read. */
async function findObject(file: Blob, { number, head, tail }: ObjectSearch): Promise<string> {
  const heading = new RegExp(`(?:^|[\\r\\n ])${number}\\s+\\d+\\s+obj\\b`)
  for (const text of [tail, head]) {
    const at = heading.exec(text)?.index
    if (at !== undefined) return text.slice(at, at + objectLength)
  }
  const offset = await findOffset(file, { number, tail })
  return offset > 0 ? toLatin1(await readPart(file, offset, objectLength)) : ''
}

/** From the newest section of a plain cross-reference table; 0 if it is elsewhere. */
async function findOffset(file: Blob, { number, tail }: Omit<ObjectSearch, 'head'>): Promise<number> {
  const start = Number([...tail.matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1] ?? 0)
  if (start === 0) return 0
  const section = /^\s*xref\s+(\d+)\s+(\d+)\s*[\r\n]+/.exec(toLatin1(await readPart(file, start, 64)))
  if (!section) return 0
  const [first, count] = [Number(section[1]), Number(section[2])]
  if (number < first || number >= first + count) return 0
  const entry = toLatin1(await readPart(file, start + section[0].length + (number - first) * 20, 20))
  return /^\d{10} \d{5} n/.test(entry) ? Number(entry.slice(0, 10)) : 0
}

function titleOf(object: string): string {
  const at = /\/Title\s*(?=[(<])/.exec(object)
  if (!at) return ''
  const value = object.slice(at.index + at[0].length)
  return decodeString(value.startsWith('(') ? readLiteral(value) : readHex(value))
}

/** Parentheses nest, and a backslash escapes. */
function readLiteral(value: string): string {
  let text = ''
  let depth = 0
  for (let at = 0; at < value.length; at += 1) {
    const char = value.charAt(at)
    if (char === '\\') {
      const octal = /^[0-7]{1,3}/.exec(value.slice(at + 1, at + 4))?.[0]
      const next = value.charAt(at + 1)
      text += octal ? String.fromCharCode(Number.parseInt(octal, 8) & 255) : (escapes[next] ?? next)
      at += octal ? octal.length : 1
      continue
    }
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (depth === 0) return text
    if (char !== '(' || depth > 1) text += char
  }
  return ''
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '', f: '', '\n': '', '\r': '' }

function readHex(value: string): string {
  const digits = (/^<([\da-fA-F\s]*)>/.exec(value)?.[1] ?? '').replaceAll(/\s/g, '')
  const bytes = digits.match(/../g) ?? []
  return bytes.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join('')
}

/** UTF-16 or UTF-8 by their marks. Programs for Chinese also wrote GBK, against the standard. */
function decodeString(latin1: string): string {
  const bytes = Uint8Array.from(latin1, (char) => char.charCodeAt(0))
  if (latin1.startsWith('\u00fe\u00ff')) return new TextDecoder('utf-16be').decode(bytes.subarray(2))
  if (latin1.startsWith('\u00ff\u00fe')) return new TextDecoder('utf-16le').decode(bytes.subarray(2))
  if (bytes.every((byte) => byte < 128)) return latin1
  const guess = decodeStrictly(bytes, 'utf-8') || decodeStrictly(bytes, 'gb18030')
  return /^[\u0020-\u007e\u2014-\u2026\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]*$/.test(guess) ? guess : ''
}

function decodeStrictly(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return ''
  }
}

function xmpTitle(text: string): string {
  const at = text.lastIndexOf('<dc:title')
  if (at < 0) return ''
  const xml = text.slice(at, text.indexOf('</dc:title>', at) + 11)
  return xmlText(
    decodeStrictly(
      Uint8Array.from(xml, (char) => char.charCodeAt(0)),
      'utf-8',
    ),
    'dc:title',
  ).trim()
}
