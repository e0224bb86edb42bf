/** Between the fields of stored metadata: no folded text contains it, so that no needle is found across fields. */
export const fieldSeparator = '|'

/** As UTF-16 bytes where that is shorter than UTF-8: a hanzi takes two bytes instead of three. */
export function encodeText(text: string): string | Uint8Array {
  const isShorterAsUtf8 = Buffer.byteLength(text) < text.length * 2
  return isShorterAsUtf8 && text.isWellFormed() && !text.includes('\0') ? text : encodeUtf16(text)
}

export function encodeUtf16(text: string): Uint8Array {
  return Buffer.from(text, 'utf16le')
}

export function decodeText(stored: unknown): string {
  if (typeof stored === 'string') return stored
  if (!(stored instanceof Uint8Array)) return ''
  return Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength).toString('utf16le')
}
