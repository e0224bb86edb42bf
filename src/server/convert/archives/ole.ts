import type { Bytes } from './bytes.ts'
import { Unconvertible } from '../converter.ts'

/** Microsoft's compound file: a small file system of streams inside a file. */
export interface Ole {
  names: string[]
  /** The first bytes of a stream; undefined when there is none of that name. */
  start(name: string, length: number): Promise<Buffer | undefined>
}

interface Stream {
  name: string
  type: number
  sector: number
  size: number
}

export const oleMagic = Buffer.from('d0cf11e0a1b11ae1', 'hex')

const smallStream = 4096
const lastSector = 0xfffffffa
const namedInHeader = 109
/** Four thousand streams: documents of old with hundreds of others inside. */
const directoryBytes = 524_288

export async function readOle(bytes: Bytes): Promise<Ole> {
  const header = await bytes.read(0, 512)
  if (header.length < 512 || !header.subarray(0, 8).equals(oleMagic)) throw damaged('header')
  const shift = header.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) throw damaged('sector size')
  const sectorBytes = 1 << shift

  const readSector = (sector: number) => bytes.read((sector + 1) * sectorBytes, sectorBytes)
  const tables = await tableSectors(header, readSector, bytes.size / sectorBytes / (sectorBytes / 4))
  const next = linkReader(tables, readSector, sectorBytes)
  const chainOf = async (first: number, length: number) => {
    const sectors: number[] = []
    for (
      let sector = first;
      sector < lastSector && sectors.length * sectorBytes < length;
      sector = await next(sector)
    ) {
      sectors.push(sector)
    }
    return sectors
  }
  const readChain = async (first: number, length: number) => {
    const parts: Buffer[] = []
    for (const sector of await chainOf(first, length)) parts.push(await readSector(sector))
    return Buffer.concat(parts).subarray(0, length)
  }

  const directory = streamsIn(await readChain(header.readUInt32LE(48), directoryBytes))
  const root = directory.find(({ type }) => type === 5)
  if (!root) throw damaged('no root')
  const readSmall = async (stream: Stream, length: number) => {
    const links = await chainOf(header.readUInt32LE(60), 1e6)
    const store = await chainOf(root.sector, Math.min(root.size, 16e6))
    const readIn = async (chain: number[], at: number, wanted: number) => {
      const sector = chain[Math.floor(at / sectorBytes)]
      const from = at % sectorBytes
      return sector === undefined ? Buffer.alloc(0) : (await readSector(sector)).subarray(from, from + wanted)
    }
    const parts: Buffer[] = []
    for (let part = stream.sector, done = 0; part < lastSector && done < length; done += 64) {
      parts.push(await readIn(store, part * 64, 64))
      const link = await readIn(links, part * 4, 4)
      if (link.length < 4) break
      part = link.readUInt32LE(0)
    }
    return Buffer.concat(parts).subarray(0, length)
  }

  const streams = directory.filter(({ type }) => type === 2)
  return {
    names: directory.filter(({ type }) => type === 1 || type === 2).map(({ name }) => name),
    start: async (name, length) => {
      const stream = streams.find((stream) => stream.name === name)
      if (!stream) return undefined
      const wanted = Math.min(length, stream.size)
      return stream.size < smallStream ? readSmall(stream, wanted) : readChain(stream.sector, wanted)
    },
  }
}

/** The sectors of the allocation table: 109 are named in the header, the others in a chain; no more than it can need. */
async function tableSectors(
  header: Buffer,
  readSector: (sector: number) => Promise<Buffer>,
  most: number,
): Promise<number[]> {
  const sectors = numbersIn(header.subarray(76, 512))
  for (let sector = header.readUInt32LE(68); sector < lastSector && sectors.length < most;) {
    const numbers = numbersIn(await readSector(sector))
    if (numbers.length === 0) throw damaged('allocation')
    sector = numbers.pop() ?? lastSector
    sectors.push(...numbers)
  }
  return sectors.slice(0, most + namedInHeader).filter((sector) => sector < lastSector)
}

function linkReader(tables: number[], readSector: (sector: number) => Promise<Buffer>, sectorBytes: number) {
  const read = new Map<number, Buffer>()
  const linksEach = sectorBytes / 4
  return async (sector: number): Promise<number> => {
    const table = tables[Math.floor(sector / linksEach)]
    if (table === undefined) throw damaged('allocation')
    // A copy: what it was read with is larger, and would stay in memory as well.
    const links = read.get(table) ?? Buffer.from(await readSector(table))
    read.set(table, links)
    const at = (sector % linksEach) * 4
    if (at + 4 > links.length) throw damaged('allocation')
    return links.readUInt32LE(at)
  }
}

function streamsIn(directory: Buffer): Stream[] {
  const streams: Stream[] = []
  for (let at = 0; at + 128 <= directory.length; at += 128) {
    const nameBytes = Math.min(64, directory.readUInt16LE(at + 64))
    streams.push({
      name: directory.subarray(at, at + Math.max(0, nameBytes - 2)).toString('utf16le'),
      type: directory.readUInt8(at + 66),
      sector: directory.readUInt32LE(at + 116),
      size: directory.readUInt32LE(at + 120),
    })
  }
  return streams
}

function numbersIn(sector: Buffer): number[] {
  return Array.from({ length: Math.floor(sector.length / 4) }, (_, index) => sector.readUInt32LE(index * 4))
}

function damaged(detail: string): Unconvertible {
  return new Unconvertible('damaged', `ole: ${detail}`)
}
