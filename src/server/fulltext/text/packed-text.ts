/** Between the fields of a head as it is kept: no folded text has it, so nothing is found across it. */
export const fieldEnd = '|'

/** A text as it is kept: Chinese takes two bytes a character as UTF-16 and three as UTF-8. */
export function pack(text: string): string | Uint8Array {
  const isShorter = Buffer.byteLength(text) < text.length * 2
  return isShorter && text.isWellFormed() && !text.includes('\0') ? text : packWide(text)
}

export function packWide(text: string): Uint8Array {
  return Buffer.from(text, 'utf16le')
}

export function unpack(kept: unknown): string {
  if (typeof kept === 'string') return kept
  if (!(kept instanceof Uint8Array)) return ''
  return Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength).toString('utf16le')
}
