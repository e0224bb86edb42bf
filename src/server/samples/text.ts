import type { Chapter } from './chapters.ts'
import { numbered, valleyChapters } from './prose.ts'

/** A novel in the way they go around: chapters by their headings, paragraphs by lines. */
export function makeText(chapters: number | readonly Chapter[] = 3): string {
  const given = typeof chapters === 'number' ? valleyChapters(chapters) : chapters.map(numbered)
  const parts = given.map(({ title, paragraphs }) => {
    const lines = paragraphs.map((line) => `　　${line}`)
    return `${title}\r\n\r\n${lines.join('\r\n')}\r\n`
  })
  return parts.join('\r\n')
}

/** Text as older programs in China wrote it. Made by turning the decoder around. */
export function inGbk(text: string): Uint8Array {
  gbk ??= encoderOf('gb18030')
  return Uint8Array.from(Array.from(text).flatMap((char) => gbk?.get(char) ?? [0x3f]))
}

export function inBig5(text: string): Uint8Array {
  const big5 = encoderOf('big5')
  return Uint8Array.from(Array.from(text).flatMap((char) => big5.get(char) ?? [0x3f]))
}

let gbk: Map<string, number[]> | undefined

function encoderOf(encoding: string): Map<string, number[]> {
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
