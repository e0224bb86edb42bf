import type { Chapter } from './chapters.ts'
import { numberChapter, sampleChapters } from './prose.ts'

/** A novel as plain text: headings for chapters, a line for each paragraph. */
export function makeText(chapters: number | readonly Chapter[] = 3): string {
  const contents = typeof chapters === 'number' ? sampleChapters(chapters) : chapters.map(numberChapter)
  const parts = contents.map(({ title, paragraphs }) => {
    const lines = paragraphs.map((line) => `　　${line}`)
    return `${title}\r\n\r\n${lines.join('\r\n')}\r\n`
  })
  return parts.join('\r\n')
}

/** The encoder is built by inverting `TextDecoder`. */
export function encodeGbk(text: string): Uint8Array {
  gbk ??= createEncoder('gb18030')
  return Uint8Array.from(Array.from(text).flatMap((char) => gbk?.get(char) ?? [0x3f]))
}

export function encodeBig5(text: string): Uint8Array {
  const big5 = createEncoder('big5')
  return Uint8Array.from(Array.from(text).flatMap((char) => big5.get(char) ?? [0x3f]))
}

let gbk: Map<string, number[]> | undefined

function createEncoder(encoding: string): Map<string, number[]> {
  const decoder = new TextDecoder(encoding)
  const codes = new Map<string, number[]>()
  for (let first = 0x81; first <= 0xfe; first += 1) {
    for (let second = 0x40; second <= 0xfe; second += 1) {
      const char = decoder.decode(Uint8Array.of(first, second))
      if (Array.from(char).length === 1 && !codes.has(char)) codes.set(char, [first, second])
    }
  }
  for (let code = 0; code < 0x80; code += 1) codes.set(String.fromCharCode(code), [code])
  return codes
}
