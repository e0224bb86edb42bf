/** A part of a file; shorter at its end. */
export async function readPart(file: Blob, from: number, length: number): Promise<Uint8Array> {
  const start = Math.max(0, from)
  return new Uint8Array(await file.slice(start, Math.min(file.size, start + length)).arrayBuffer())
}

/** One character for each byte: formats are searched as text, with offsets that are those of the bytes. */
export function toLatin1(bytes: Uint8Array): string {
  const step = 8192
  let text = ''
  for (let at = 0; at < bytes.length; at += step) text += String.fromCharCode(...bytes.subarray(at, at + step))
  return text
}

/** The text of an element, with the five entities and numeric references of XML. */
export function xmlText(xml: string, element: string): string {
  const match = new RegExp(`<${element}(?:\\s[^>]*)?>([\\s\\S]*?)</${element}>`).exec(xml)
  const text = (match?.[1] ?? '').replaceAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1').replaceAll(/<[^>]*>/g, '')
  return text.replaceAll(/&(#x[\da-f]+|#\d+|\w+);/gi, (entity, name: string) => {
    if (name.startsWith('#')) return fromCodePoint(Number(name.replace(/^#x/i, '0x').replace('#', '')))
    return entities[name] ?? entity
  })
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function fromCodePoint(code: number): string {
  return Number.isInteger(code) && code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
}
