/** Collects a page as bytes: tens of thousands of short pieces, which as one string would cost more than drawing it. */
export interface SvgWriter {
  text(piece: string): void
  bytes(piece: Uint8Array): void
  code(letter: number): void
  integer(value: number): void
  readonly length: number
  /** A copy of what was written; the writer is empty then. */
  take(): Buffer
}

export function svgWriter(): SvgWriter {
  let buffer = Buffer.allocUnsafeSlow(65_536)
  let length = 0

  const room = (needed: number) => {
    if (length + needed <= buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, length + needed))
    buffer.copy(larger, 0, 0, length)
    buffer = larger
  }

  return {
    text(piece) {
      room(piece.length)
      for (let n = 0; n < piece.length; n++) buffer[length++] = piece.charCodeAt(n)
    },
    bytes(piece) {
      room(piece.length)
      buffer.set(piece, length)
      length += piece.length
    },
    code(letter) {
      room(1)
      buffer[length++] = letter
    },
    integer(value) {
      room(20)
      let rest = value
      if (rest < 0) {
        buffer[length++] = 45
        rest = -rest
      }
      let unit = 1
      while (rest >= unit * 10) unit *= 10
      for (; unit >= 1; unit /= 10) buffer[length++] = 48 + (Math.floor(rest / unit) % 10)
    },
    get length() {
      return length
    },
    take() {
      const taken = Buffer.from(buffer.subarray(0, length))
      length = 0
      return taken
    },
  }
}
