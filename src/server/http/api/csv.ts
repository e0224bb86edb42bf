import { byteOrderMark, toCsvLine } from '#shared/csv.ts'

export function csvStream(
  header: readonly string[],
  rows: AsyncIterable<readonly string[]>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const lines = toLines(header, rows)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
}

const chunkLength = 64 * 1024

async function* toLines(header: readonly string[], rows: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let chunk = byteOrderMark + toCsvLine(header)
  for await (const row of rows) {
    chunk += toCsvLine(row)
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}
