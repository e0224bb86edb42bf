/** What a browser may be given as a picture. SVG is not among them: it can hold scripts and references. */
export type PictureType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'

export interface PictureHeader {
  type: PictureType
  width: number
  height: number
}

/** Enough of a file to tell what it is; a JPEG may have its size behind a long profile. */
export const pictureHeaderBytes = 65_536

/** In pixels. Smaller ones are ornaments; larger ones take a browser's memory. */
const minSide = 24
const maxSide = 20_000
const maxArea = 60e6

/** By its first bytes, whatever its name says; undefined for what is no picture, or none worth showing. */
export function readPictureHeader(bytes: Buffer): PictureHeader | undefined {
  const header = readPng(bytes) ?? readGif(bytes) ?? readWebp(bytes) ?? readJpeg(bytes)
  if (!header) return undefined
  const { width, height } = header
  const isShown = Math.min(width, height) >= minSide && Math.max(width, height) <= maxSide && width * height <= maxArea
  return isShown ? header : undefined
}

function starts(bytes: Buffer, magic: string, at = 0): boolean {
  return bytes.subarray(at, at + magic.length).toString('latin1') === magic
}

function readPng(bytes: Buffer): PictureHeader | undefined {
  if (bytes.length < 24 || !starts(bytes, '\x89PNG\r\n\x1a\n') || !starts(bytes, 'IHDR', 12)) return undefined
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function readGif(bytes: Buffer): PictureHeader | undefined {
  if (bytes.length < 10 || !(starts(bytes, 'GIF87a') || starts(bytes, 'GIF89a'))) return undefined
  return { type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

function readWebp(bytes: Buffer): PictureHeader | undefined {
  if (bytes.length < 30 || !starts(bytes, 'RIFF') || !starts(bytes, 'WEBP', 8)) return undefined
  const size = (width: number, height: number): PictureHeader => ({ type: 'image/webp', width, height })
  if (starts(bytes, 'VP8X', 12)) return size(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
  if (starts(bytes, 'VP8 ', 12)) return size(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
  if (!starts(bytes, 'VP8L', 12)) return undefined
  const bits = bytes.readUInt32LE(21)
  return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
}

/** The size stands in the header of the frame, behind segments of other kinds. */
function readJpeg(bytes: Buffer): PictureHeader | undefined {
  if (!starts(bytes, '\xff\xd8\xff')) return undefined
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return undefined
    if (marker === 0xff) {
      at += 1
      continue
    }
    // Not the tables of codes, which are numbered among the frames.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
