/** A text as it is kept: Chinese takes two bytes a character as UTF-16 and three as UTF-8. */
export function pack(text: string): string | Uint8Array {
  const isShorter = Buffer.byteLength(text) < text.length * 2
  return isShorter && text.isWellFormed() && !text.includes('\0') ? text : Buffer.from(text, 'utf16le')
}

export function unpack(kept: unknown): string {
  if (typeof kept === 'string') return kept
  if (!(kept instanceof Uint8Array)) return ''
  return Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength).toString('utf16le')
}
