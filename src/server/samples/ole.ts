/** An OLE compound file. Streams shorter than the cutoff of 4096 bytes are padded: there is no mini stream. */
export function makeOle(streams: Record<string, Uint8Array>): Uint8Array {
  const end = 0xfffffffe
  const entries = Object.entries(streams).map(([name, content]) => ({ name, content: padToSectors(content, 4096) }))
  const directory = padToSectors(Buffer.alloc((entries.length + 1) * 128), 512)
  const links: number[] = [0xfffffffd]
  chain(directory.length / 512)
  for (const [index, { name, content }] of entries.entries()) {
    entry((index + 1) * 128, { name, type: 2, sector: links.length, size: content.length })
    chain(content.length / 512)
  }
  entry(0, { name: 'Root Entry', type: 5, sector: end, size: 0 })

  const table = Buffer.alloc(512, 0xff)
  for (const [index, link] of links.entries()) table.writeUInt32LE(link, index * 4)
  const header = Buffer.alloc(512, 0xff)
  header.fill(0, 0, 76)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  for (const [at, value] of [
    [24, 0x3e],
    [26, 3],
    [28, 0xfffe],
    [30, 9],
    [32, 6],
  ] as const)
    header.writeUInt16LE(value, at)
  for (const [at, value] of [
    [44, 1],
    [48, 1],
    [56, 4096],
    [60, end],
    [68, end],
    [76, 0],
  ] as const)
    header.writeUInt32LE(value, at)
  return Buffer.concat([header, table, directory, ...entries.map(({ content }) => content)])

  function chain(sectors: number): void {
    const first = links.length
    for (let index = 1; index < sectors; index += 1) links.push(first + index)
    links.push(end)
  }

  function entry(at: number, stream: { name: string; type: number; sector: number; size: number }): void {
    const name = Buffer.from(`${stream.name}\0`, 'utf16le')
    name.copy(directory, at)
    directory.writeUInt16LE(name.length, at + 64)
    directory.writeUInt8(stream.type, at + 66)
    directory.fill(0xff, at + 68, at + 80)
    directory.writeUInt32LE(stream.sector, at + 116)
    directory.writeUInt32LE(stream.size, at + 120)
  }
}

function padToSectors(content: Uint8Array, minBytes: number): Buffer {
  return Buffer.concat([content], Math.max(minBytes, Math.ceil(content.length / 512) * 512))
}
