/** Builds a page as bytes: concatenating tens of thousands of short strings would take longer than rendering it. */
export interface SvgWriter {
  /** ASCII only. */
  text(ascii: string): void
  bytes(bytes: Uint8Array): void
  byte(code: number): void
  integer(value: number): void
  /** Returns a copy of what was written, and empties the writer. */
  take(): Buffer
}

export function svgWriter(): SvgWriter {
  let buffer = Buffer.allocUnsafeSlow(65_536)
  let length = 0

  const ensure = (needed: number) => {
    if (length + needed <= buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, length + needed))
    buffer.copy(larger, 0, 0, length)
    buffer = larger
  }

  return {
    text(ascii) {
      ensure(ascii.length)
      for (let n = 0; n < ascii.length; n++) buffer[length++] = ascii.charCodeAt(n)
    },
    bytes(bytes) {
      ensure(bytes.length)
      buffer.set(bytes, length)
      length += bytes.length
    },
    byte(code) {
      ensure(1)
      buffer[length++] = code
    },
    integer(value) {
      ensure(20)
      let rest = value
      if (rest < 0) {
        buffer[length++] = 45
        rest = -rest
      }
      let unit = 1
      while (rest >= unit * 10) unit *= 10
      for (; unit >= 1; unit /= 10) buffer[length++] = 48 + (Math.floor(rest / unit) % 10)
    },
    take() {
      const taken = Buffer.from(buffer.subarray(0, length))
      length = 0
      return taken
    },
  }
}

export function writePath(out: SvgWriter, attributes: string, data: Uint8Array): void {
  out.text('<path')
  out.text(attributes)
  out.bytes(data)
  out.text('"/>')
}
