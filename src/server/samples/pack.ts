import { strToU8, zipSync } from 'fflate'

/** A zip archive. The entry `mimetype` is stored, as EPUB and OpenDocument require. */
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
