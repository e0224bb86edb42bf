export interface JpegHeader {
  width: number
  height: number
  /** 4: CMYK. */
  components: number
}

/** From the frame header; undefined where it is not within these bytes. */
export function readJpegHeader(bytes: Uint8Array): JpegHeader | undefined {
  const uint16 = (at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { height: uint16(at + 5), width: uint16(at + 7), components: bytes[at + 9] ?? 0 }
    at += 2 + uint16(at + 2)
  }
  return undefined
}
