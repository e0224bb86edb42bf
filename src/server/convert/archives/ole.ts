import type { ByteReader } from './bytes.ts'
import { Unconvertible } from '../converter.ts'

/** An OLE compound file (MS-CFB), the container of old office formats: a FAT file system inside a file. */
export interface CompoundFile {
  names: string[]
  /** The first bytes of a stream; undefined where there is no stream of that name. */
  readStart(name: string, length: number): Promise<Buffer | undefined>
}

interface DirectoryEntry {
  name: string
  type: number
  sector: number
  size: number
}

export const compoundFileMagic = Buffer.from('d0cf11e0a1b11ae1', 'hex')

const miniStreamCutoff = 4096
const maxSector = 0xfffffffa
const fatSectorsInHeader = 109
/** 4096 entries: old documents may embed hundreds of others. */
const maxDirectoryBytes = 524_288

export async function readCompoundFile(bytes: ByteReader): Promise<CompoundFile> {
  const header = await bytes.read(0, 512)
  if (header.length < 512 || !header.subarray(0, 8).equals(compoundFileMagic)) throw damaged('header')
  const shift = header.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) throw damaged('sector size')
  const sectorBytes = 1 << shift

  const readSector = (sector: number) => bytes.read((sector + 1) * sectorBytes, sectorBytes)
  const fatSectors = await readFatSectors(header, readSector, bytes.size / sectorBytes / (sectorBytes / 4))
  const nextSector = fatReader(fatSectors, readSector, sectorBytes)
  const readChain = async (first: number, length: number) => {
    const sectors: number[] = []
    for (
      let sector = first;
      sector < maxSector && sectors.length * sectorBytes < length;
      sector = await nextSector(sector)
    ) {
      sectors.push(sector)
    }
    return sectors
  }
  const readStream = async (first: number, length: number) => {
    const parts: Buffer[] = []
    for (const sector of await readChain(first, length)) parts.push(await readSector(sector))
    return Buffer.concat(parts).subarray(0, length)
  }

  const directory = parseDirectory(await readStream(header.readUInt32LE(48), maxDirectoryBytes))
  const root = directory.find(({ type }) => type === 5)
  if (!root) throw damaged('no root')
  /** Short streams lie in 64-byte sectors of the root's stream, with an allocation table of their own (the mini FAT). */
  const readMiniStream = async (stream: DirectoryEntry, length: number) => {
    const miniFat = await readChain(header.readUInt32LE(60), 1e6)
    const miniSectors = await readChain(root.sector, Math.min(root.size, 16e6))
    const readIn = async (chain: number[], at: number, count: number) => {
      const sector = chain[Math.floor(at / sectorBytes)]
      const from = at % sectorBytes
      return sector === undefined ? Buffer.alloc(0) : (await readSector(sector)).subarray(from, from + count)
    }
    const parts: Buffer[] = []
    for (let sector = stream.sector, done = 0; sector < maxSector && done < length; done += 64) {
      parts.push(await readIn(miniSectors, sector * 64, 64))
      const next = await readIn(miniFat, sector * 4, 4)
      if (next.length < 4) break
      sector = next.readUInt32LE(0)
    }
    return Buffer.concat(parts).subarray(0, length)
  }

  const streams = directory.filter(({ type }) => type === 2)
  return {
    names: directory.filter(({ type }) => type === 1 || type === 2).map(({ name }) => name),
    readStart: async (name, length) => {
      const stream = streams.find((stream) => stream.name === name)
      if (!stream) return undefined
      const available = Math.min(length, stream.size)
      return stream.size < miniStreamCutoff ? readMiniStream(stream, available) : readStream(stream.sector, available)
    },
  }
}

/** The sectors of the allocation table: 109 are listed in the header, the others in a chain of sectors. */
async function readFatSectors(
  header: Buffer,
  readSector: (sector: number) => Promise<Buffer>,
  maxCount: number,
): Promise<number[]> {
  const sectors = readUint32s(header.subarray(76, 512))
  for (let sector = header.readUInt32LE(68); sector < maxSector && sectors.length < maxCount;) {
    const numbers = readUint32s(await readSector(sector))
    if (numbers.length === 0) throw damaged('allocation')
    sector = numbers.pop() ?? maxSector
    sectors.push(...numbers)
  }
  return sectors.slice(0, maxCount + fatSectorsInHeader).filter((sector) => sector < maxSector)
}

/** Looks up which sector follows another. */
function fatReader(fatSectors: number[], readSector: (sector: number) => Promise<Buffer>, sectorBytes: number) {
  const cache = new Map<number, Buffer>()
  const entriesPerSector = sectorBytes / 4
  return async (sector: number): Promise<number> => {
    const fatSector = fatSectors[Math.floor(sector / entriesPerSector)]
    if (fatSector === undefined) throw damaged('allocation')
    // A copy: a slice would keep the larger buffer it was read into alive.
    const entries = cache.get(fatSector) ?? Buffer.from(await readSector(fatSector))
    cache.set(fatSector, entries)
    const at = (sector % entriesPerSector) * 4
    if (at + 4 > entries.length) throw damaged('allocation')
    return entries.readUInt32LE(at)
  }
}

function parseDirectory(directory: Buffer): DirectoryEntry[] {
  const entries: DirectoryEntry[] = []
  for (let at = 0; at + 128 <= directory.length; at += 128) {
    const nameBytes = Math.min(64, directory.readUInt16LE(at + 64))
    entries.push({
      name: directory.subarray(at, at + Math.max(0, nameBytes - 2)).toString('utf16le'),
      type: directory.readUInt8(at + 66),
      sector: directory.readUInt32LE(at + 116),
      size: directory.readUInt32LE(at + 120),
    })
  }
  return entries
}

function readUint32s(sector: Buffer): number[] {
  return Array.from({ length: Math.floor(sector.length / 4) }, (_, index) => sector.readUInt32LE(index * 4))
}

function damaged(detail: string): Unconvertible {
  return new Unconvertible('damaged', `ole: ${detail}`)
}
