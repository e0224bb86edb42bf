import { Unconvertible } from '../converter.ts'

export interface XmlHandler {
  /** `tag` is the whole tag, for `readAttribute`. */
  open(name: string, tag: string): void | Promise<void>
  close(name: string): void | Promise<void>
  text(text: string): void
}

const maxTagLength = 1e6
const tagPattern = /<(\/?)([^\s/>"']+)(?:[^"'>]|"[^"]*"|'[^']*')*>/y

/** Reads XML of any length as a sequence of tags and texts. Knows no entities but those that XML defines. */
export async function readXml(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    rest = await readTags(rest + decoder.decode(chunk, { stream: true }), handler)
    if (rest.length > maxTagLength) throw new Unconvertible('damaged', 'xml: a tag without end')
  }
}

/** Gives what is left: the start of a tag, or text whose end may be still to come. */
async function readTags(xml: string, handler: XmlHandler): Promise<string> {
  let at = 0
  for (;;) {
    const start = xml.indexOf('<', at)
    if (start < 0) {
      // An entity may go on in the next chunk.
      return xml.slice(at)
    }
    if (start > at) handler.text(decodeEntities(xml.slice(at, start)))
    const end = markupEnd(xml, start)
    if (end === undefined) return xml.slice(start)
    if (end.tag) {
      const { name, isClosing, tag } = end.tag
      // Only where a handler writes: awaiting each tag would cost more than reading it.
      const opened = isClosing ? undefined : handler.open(name, tag)
      if (opened) await opened
      const closed = isClosing || tag.endsWith('/>') ? handler.close(name) : undefined
      if (closed) await closed
    } else if (end.text !== undefined) handler.text(end.text)
    at = end.at
  }
}

interface Markup {
  at: number
  tag?: { name: string; isClosing: boolean; tag: string }
  text?: string
}

/** Undefined when it ends in a later chunk. */
function markupEnd(xml: string, start: number): Markup | undefined {
  for (const [opening, closing] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
    ['<!', '>'],
  ] as const) {
    if (xml[start + 1] !== opening[1] || !xml.startsWith(opening, start)) continue
    const end = xml.indexOf(closing, start + opening.length)
    if (end < 0) return undefined
    const text = opening === '<![CDATA[' ? { text: xml.slice(start + opening.length, end) } : {}
    return { at: end + closing.length, ...text }
  }
  tagPattern.lastIndex = start
  const match = tagPattern.exec(xml)
  if (!match) return undefined
  const [tag, slash, name = ''] = match
  return { at: tagPattern.lastIndex, tag: { name, isClosing: slash === '/', tag } }
}

export function readAttribute(tag: string, name: string): string | undefined {
  const start = tag.indexOf(` ${name}=`)
  if (start < 0) return undefined
  const from = start + name.length + 3
  const end = tag.indexOf(tag[from - 1] ?? '"', from)
  return end < 0 ? undefined : decodeEntities(tag.slice(from, end))
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi, (whole, decimal, hexadecimal, name) => {
    if (name) return named[name] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}
