import { createHash } from 'node:crypto'
import type { Tables } from '../db/tables.ts'

export type Row = Record<string, unknown>
export type TableName = keyof Tables

/** What goes into a backup. Left out is what a restored site makes again, or what must not come back to life. */
const isKept: Record<TableName, boolean> = {
  // The schema itself: the manifest names it.
  migration: false,
  // Who had logged out, or whose password has changed since, must not be logged in again.
  session: false,
  captcha: false,
  email_code: false,
  reset_token: false,
  attempt: false,
  // Their bytes are under way.
  upload: false,
  // They bring codes and links, and those that are restored would be sent a second time.
  letter: false,
  document_relate: false,
  article_relate: false,
  seed: true,
  secret: true,
  setting: true,
  revision: true,
  job: true,
  tally: true,
  visitor: true,
  group: true,
  user_group: true,
  permission: true,
  group_permission: true,
  punishment: true,
  user: true,
  dynamic: true,
  attachment: true,
  stored_file: true,
  credit_entry: true,
  sign: true,
  daily_use: true,
  category: true,
  navigation: true,
  friendlink: true,
  banner: true,
  advertisement: true,
  language: true,
  document: true,
  document_category: true,
  document_score: true,
  rendition: true,
  download: true,
  article: true,
  article_category: true,
  search_record: true,
  comment: true,
  favorite: true,
  report: true,
}

const keptRows: Record<string, string | undefined> = {
  // Made anew where sessions are left out, so that no token from before speaks for anybody.
  secret: "name <> 'session'",
  // Their letters are left out.
  job: "kind <> 'mail.send'",
}

export const allTables = Object.keys(isKept) as TableName[]
export const keptTables = allTables.filter((name) => isKept[name])

/** What a backup takes of a table. */
export function rowsOf(table: string): string {
  const kept = keptRows[table]
  return `select * from "${table}"${kept ? ` where ${kept}` : ''}`
}

/** A row as it is written: columns by name, so that both databases write the same. */
export function lineOf(table: string, row: Row): string {
  const told = table === 'job' ? handedBack(row) : row
  const columns = Object.keys(told).toSorted()
  return JSON.stringify(Object.fromEntries(columns.map((column) => [column, told[column]])))
}

/** Tells two sets of rows apart, in whatever order they come: databases sort texts differently. */
export function rowDigest(): { add(line: string): void; text(): string } {
  const size = 1n << 256n
  let sum = 0n
  return {
    add(line) {
      sum = (sum + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)) % size
    },
    text: () => sum.toString(16).padStart(64, '0'),
  }
}

/** Nobody works on it where it is restored: as when a worker stops, the attempt does not count. */
function handedBack(row: Row): Row {
  if (row.state !== 'running') return row
  return { ...row, state: 'waiting', lease_until: 0, worker: '', attempts: Math.max(0, Number(row.attempts) - 1) }
}
