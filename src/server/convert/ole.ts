import type { Bytes } from './bytes.ts'
import { Unconvertible } from './converter.ts'

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

export async function readOle(bytes: Bytes): Promise<Ole> {
  const header = await bytes.read(0, 512)
  if (header.length < 512 || !header.subarray(0, 8).equals(oleMagic)) throw damaged('header')
  const shift = header.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) throw damaged('sector size')
  const sectorBytes = 1 << shift

  const readSector = (sector: number) => bytes.read((sector + 1) * sectorBytes, sectorBytes)
  const tables = await tableSectors(header, readSector, bytes.size / sectorBytes)
  const next = linkReader(tables, readSector, sectorBytes)
  const readChain = async (first: number, length: number) => {
    const parts: Buffer[] = []
    for (let sector = first, done = 0; sector < lastSector && done < length; done += sectorBytes) {
      parts.push(await readSector(sector))
      sector = await next(sector)
    }
    return Buffer.concat(parts).subarray(0, length)
  }

  const directory = streamsIn(await readChain(header.readUInt32LE(48), 4e6))
  const root = directory.find(({ type }) => type === 5)
  if (!root) throw damaged('no root')
  const readSmall = async (stream: Stream, length: number) => {
    const links = await readChain(header.readUInt32LE(60), 4e6)
    const store = await readChain(root.sector, Math.min(root.size, 16e6))
    const parts: Buffer[] = []
    for (let part = stream.sector, done = 0; part < lastSector && done < length; done += 64) {
      parts.push(store.subarray(part * 64, part * 64 + 64))
      if (part * 4 + 4 > links.length) break
      part = links.readUInt32LE(part * 4)
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

/** The sectors of the allocation table: 109 are named in the header, the others in a chain of their own. */
async function tableSectors(
  header: Buffer,
  readSector: (sector: number) => Promise<Buffer>,
  most: number,
): Promise<number[]> {
  const sectors = numbersIn(header.subarray(76, 512))
  for (let sector = header.readUInt32LE(68), seen = 0; sector < lastSector && seen < most; seen += 1) {
    const numbers = numbersIn(await readSector(sector))
    sector = numbers.pop() ?? lastSector
    sectors.push(...numbers)
  }
  return sectors.filter((sector) => sector < lastSector)
}

function linkReader(tables: number[], readSector: (sector: number) => Promise<Buffer>, sectorBytes: number) {
  const read = new Map<number, Buffer>()
  const linksEach = sectorBytes / 4
  return async (sector: number): Promise<number> => {
    const table = tables[Math.floor(sector / linksEach)]
    if (table === undefined) throw damaged('allocation')
    const links = read.get(table) ?? (await readSector(table))
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
