import * as z from 'zod/mini'

/**
 * A backup is one tar file: `wendou-backup.json` (what it is), `tables/<name>/<n>.ndjson.gz` (rows), `storage/<key>`
 * (files), now and then `sums/<n>.sha256` (hashes of the entries before it, as sha256sum writes them), at last
 * `manifest.json` (what must be there) and `manifest.sha256`. Written and read as a stream, whatever its size.
 */
export const formatVersion = 1
export const entryNames = { head: 'wendou-backup.json', manifest: 'manifest.json', manifestSum: 'manifest.sha256' }

export const tablePrefix = 'tables/'
export const storagePrefix = 'storage/'
export const sumsPrefix = 'sums/'
/** Entries that one file of sums is about. */
export const entriesPerSums = 2000

const head = {
  product: z.literal('wendou'),
  format: z.int(),
  version: z.string(),
  made_at: z.int(),
  engine: z.enum(['sqlite', 'postgres']),
  /** The migrations that the rows have been through. */
  schema: z.array(z.string()),
}

export const Head = z.object(head)
export type Head = z.infer<typeof Head>

const TableDump = z.object({
  rows: z.int(),
  /** See `rowDigest`: the same for the same rows, whatever database they are in. */
  digest: z.string(),
})

export const Manifest = z.object({
  ...head,
  tables: z.record(z.string(), TableDump),
  /** The highest id that each table has used, also tables that are left out: no id is used twice. */
  last_ids: z.record(z.string(), z.int()),
  files: z.object({ count: z.int(), bytes: z.int() }),
  /** Contents that were purged, or had not arrived completely, while the backup was made: no document needs them. */
  purged: z.array(z.string()),
  /** Contents that were being converted again: they are converted once more where they are restored. */
  renewed: z.array(z.string()),
  /** Keys that are missing on the site itself, or whose bytes have changed. */
  missing: z.array(z.string()),
  altered: z.array(z.string()),
  /** SHA-256 of each file of sums. */
  sums: z.array(z.string()),
})
export type Manifest = z.infer<typeof Manifest>

/** A message for the owner: a backup cannot be made, used or restored. */
export class BackupError extends Error {}

export function partName(table: string, part: number): string {
  return `${tablePrefix}${table}/${numbered(part)}.ndjson.gz`
}

export function sumsName(part: number): string {
  return `${sumsPrefix}${numbered(part)}.sha256`
}

export function sumLine(name: string, sha256: string): string {
  return `${sha256}  ${name}\n`
}

function numbered(part: number): string {
  return String(part).padStart(6, '0')
}
