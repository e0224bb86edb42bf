/** Decodes `aws-chunked`: `<hex length>[;…]\r\n<bytes>\r\n`, ended by an empty chunk and trailers. */
export async function* unchunk(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0)
  let missing = 0
  for await (const piece of source) {
    held = held.length > 0 ? Buffer.concat([held, piece]) : piece
    while (held.length > 0) {
      if (missing > 0) {
        const bytes = held.subarray(0, missing)
        missing -= bytes.length
        held = held.subarray(bytes.length)
        yield bytes
        continue
      }
      if (held.subarray(0, 2).equals(lineEnd)) held = held.subarray(2)
      const end = held.indexOf(lineEnd)
      if (end < 0) break
      const size = Number.parseInt(held.toString('latin1', 0, end), 16)
      held = held.subarray(end + 2)
      if (size === 0) {
        for await (const _trailer of source);
        return
      }
      missing = size
    }
  }
  throw new Error('the body ended in the middle of a chunk')
}

const lineEnd = Buffer.from('\r\n')
