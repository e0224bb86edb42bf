import { strToU8, zipSync } from 'fflate'

/** What a mimetype entry must be: first, and not compressed. */
export function pack(parts: Record<string, string | Uint8Array>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, content]) => [
        name,
        [typeof content === 'string' ? strToU8(content) : content, { level: name === 'mimetype' ? 0 : 6 }],
      ]),
    ),
  )
}
