/** As spreadsheet programs read it: UTF-8 with a byte order mark, CRLF, and no cell that is taken for a formula. */
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
  let chunk = `\ufeff${toLine(header)}`
  for await (const row of rows) {
    chunk += toLine(row)
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

function toLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

/** A leading quote keeps spreadsheet programs from evaluating what a user has typed. */
function toCell(value: string): string {
  const inert = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
