import { readPart } from '#web/features/documents/upload/file-title/read-part.ts'

/** Small text files in ZIP archives, which office documents and e-books are: only the directory and the entry are read. */

const endLength = 22
const maxComment = 65_535
const maxDirectory = 4 * 1024 * 1024
const maxEntry = 256 * 1024
/** ZIP's number for entries that are not compressed. */
const storedMethod = 0

interface Entry {
  method: number
  length: number
  offset: number
}

export async function readZipText(file: Blob, name: string): Promise<string> {
  const entry = (await readDirectory(file)).get(name)
  if (!entry || entry.length > maxEntry) return ''
  // The lengths of name and extra field in front of the data may differ from those in the directory.
  const head = await readPart(file, entry.offset, 30)
  if (head.length < 30) return ''
  const view = viewOf(head)
  const start = entry.offset + 30 + view.getUint16(26, true) + view.getUint16(28, true)
  const data = await readPart(file, start, entry.length)
  return new TextDecoder().decode(entry.method === storedMethod ? data : await inflate(data))
}

/** Empty if it is no archive, or one that needs more than is read of it. */
async function readDirectory(file: Blob): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  const tailStart = Math.max(0, file.size - endLength - maxComment)
  const tail = viewOf(await readPart(file, tailStart, endLength + maxComment))
  let end = tail.byteLength - endLength
  while (end >= 0 && tail.getUint32(end, true) !== 0x06_05_4b_50) end -= 1
  if (end < 0) return entries
  const size = tail.getUint32(end + 12, true)
  if (size > maxDirectory) return entries
  const directory = await readPart(file, tail.getUint32(end + 16, true), size)
  const view = viewOf(directory)
  for (let at = 0; at + 46 <= directory.length && view.getUint32(at, true) === 0x02_01_4b_50;) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => view.getUint16(at + field, true))
    const nameEnd = at + 46 + (nameLength ?? 0)
    entries.set(new TextDecoder().decode(directory.subarray(at + 46, nameEnd)), {
      method: view.getUint16(at + 10, true),
      length: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    })
    at = nameEnd + (extraLength ?? 0) + (commentLength ?? 0)
  }
  return entries
}

async function inflate(data: Uint8Array): Promise<ArrayBuffer> {
  const stream = new Blob([Uint8Array.from(data)]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Response(stream).arrayBuffer()
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}
