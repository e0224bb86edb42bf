export interface JpegHeader {
  width: number
  height: number
  /** 4: printing inks. */
  components: number
}

/** What a JPEG says about itself, or nothing where that is not within these bytes. */
export function jpegHeader(bytes: Uint8Array): JpegHeader | undefined {
  const two = (at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    const frame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (frame) return { height: two(at + 5), width: two(at + 7), components: bytes[at + 9] ?? 0 }
    at += 2 + two(at + 2)
  }
  return undefined
}
