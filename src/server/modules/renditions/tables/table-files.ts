import { buffer, text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { TableRow } from '#shared/tables.ts'
import type { Ctx } from '#server/context.ts'
import type { StoredIndex } from '#server/convert/tables/table-file.ts'
import { tableIndexKey, tableKey } from '../storage-keys.ts'

interface Revision {
  hash: string
  revision: number
}

interface SliceAddress {
  sheet: number
  slice: number
}

const decompress = promisify(gunzip)

/** Undefined while the cells are not extracted; without sheets where there are none to show. */
export async function readTableIndex(
  { storage }: Pick<Ctx, 'storage'>,
  { hash, revision }: Revision,
): Promise<StoredIndex | undefined> {
  const stored = await storage.read(tableIndexKey(hash, revision))
  return stored && (JSON.parse(await text(stored)) as StoredIndex)
}

/** A slice as it is stored: JSON, compressed with gzip. */
export async function readPackedRows(
  { storage }: Pick<Ctx, 'storage'>,
  { hash, revision, offsets }: Revision & Pick<StoredIndex, 'offsets'>,
  { sheet, slice }: SliceAddress,
): Promise<Buffer | undefined> {
  const [start, end] = [offsets[sheet]?.[slice], offsets[sheet]?.[slice + 1]]
  if (start === undefined || end === undefined) return undefined
  const stored = await storage.read(tableKey(hash, revision), { start, end: end - 1 })
  return stored && buffer(stored)
}

export async function readRows(
  ctx: Pick<Ctx, 'storage'>,
  table: Revision & Pick<StoredIndex, 'offsets'>,
  address: SliceAddress,
): Promise<TableRow[]> {
  const packed = await readPackedRows(ctx, table, address)
  return packed ? unpackRows(packed) : []
}

export async function unpackRows(packed: Uint8Array): Promise<TableRow[]> {
  return JSON.parse((await decompress(packed)).toString('utf8')) as TableRow[]
}
