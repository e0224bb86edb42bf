import { createHash } from 'node:crypto'
import type { Tables } from '../db/tables.ts'
import { formerTables } from './former-names.ts'

export type Row = Record<string, unknown>
export type TableName = keyof Tables

/** What goes into a backup. Left out is what a restored site creates again, or what must not become valid again. */
const isIncluded: Record<TableName, boolean> = {
  // The schema itself: the manifest names it.
  migration: false,
  // A session that was ended since, or a password that was changed, must stay so.
  session: false,
  captcha: false,
  verification_code: false,
  reset_token: false,
  oauth_state: false,
  oauth_ticket: false,
  scan_login: false,
  passkey_challenge: false,
  used_login_challenge: false,
  rate_limit: false,
  reward_ticket: false,
  // Their bytes have not all arrived.
  upload: false,
  // The processes of the site that is backed up.
  worker: false,
  // The places they lie in are those of that machine.
  backup: false,
  // They contain codes and links, and would be sent a second time.
  mail: false,
  // Their archives are left out.
  data_export: false,
  document_relate: false,
  article_relate: false,
  seed: true,
  secret: true,
  setting: true,
  revision: true,
  job: true,
  daily_count: true,
  daily_visitor: true,
  audit_log: true,
  group: true,
  user_group: true,
  invitation: true,
  permission: true,
  group_permission: true,
  punishment: true,
  user: true,
  activity: true,
  saved_view: true,
  sms: true,
  oauth_binding: true,
  account_security: true,
  recovery_code: true,
  passkey: true,
  known_device: true,
  account_deletion: true,
  attachment: true,
  stored_file: true,
  credit_entry: true,
  check_in: true,
  quota_usage: true,
  category: true,
  navigation: true,
  friendlink: true,
  banner: true,
  advertisement: true,
  language: true,
  announcement: true,
  announcement_group: true,
  topic: true,
  topic_entry: true,
  document: true,
  document_category: true,
  document_group: true,
  document_copy: true,
  document_share: true,
  document_score: true,
  document_replacement: true,
  document_day: true,
  rendition: true,
  download: true,
  order: true,
  payment: true,
  payment_notice: true,
  refund: true,
  bill: true,
  bill_difference: true,
  outlay: true,
  document_grant: true,
  user_vip: true,
  download_code_batch: true,
  download_code: true,
  article: true,
  article_category: true,
  article_draft: true,
  article_version: true,
  article_like: true,
  spider_source: true,
  spider_url: true,
  spider_document: true,
  spider_log: true,
  // Learned again when it is crawled.
  spider_host: false,
  search_record: true,
  comment: true,
  favorite: true,
  reading_progress: true,
  reading_pause: true,
  bookmark: true,
  annotation: true,
  collection: true,
  collection_item: true,
  follow: true,
  publication: true,
  follow_news: true,
  report: true,
  notification: true,
  notification_choice: true,
}

const conditions: Record<string, string | undefined> = {
  // Created again, so that no token from before the restoration is valid.
  secret: "name <> 'session'",
  // Their mails are left out.
  job: "kind <> 'mail.send'",
}

export const allTables = [...Object.keys(isIncluded), ...Object.keys(formerTables)] as TableName[]
export const includedTables = allTables.filter((name) => isIncluded[formerTables[name] ?? name])

/** The query for the rows of a table that go into a backup. */
export function selectRows(table: string): string {
  const condition = conditions[table]
  return `select * from "${table}"${condition ? ` where ${condition}` : ''}`
}

/** A row as JSON, with sorted columns, so that both databases write the same. */
export function toLine(table: string, row: Row): string {
  const values = table === 'job' ? withoutLease(row) : row
  const columns = Object.keys(values).toSorted()
  return JSON.stringify(Object.fromEntries(columns.map((column) => [column, values[column]])))
}

/** A digest of a set of rows that does not depend on their order: databases sort texts differently. */
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

/** No worker holds it where it is restored: as when a worker stops, the attempt does not count. */
function withoutLease(row: Row): Row {
  if (row.state !== 'running') return row
  return { ...row, state: 'waiting', lease_until: 0, worker: '', attempts: Math.max(0, Number(row.attempts) - 1) }
}
