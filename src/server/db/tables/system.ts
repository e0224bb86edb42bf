import type { Bit, Defaulted, Id, Stamps } from './column.ts'

export interface SystemTables {
  migration: { name: string; at: number }
  seed: { name: string; at: number }
  secret: { name: string; value: string }
  setting: { category: string; name: string; value: string; updated_at: number }
  revision: { name: string; value: number }
  rate_limit: { key: string; count: number; blocked_until: number }
  job: JobTable
  worker: WorkerTable
  backup: BackupTable
  mail: MailTable
  audit_log: AuditLogTable
  /** Event counts by day in the site's time zone: `day` is 20261115. */
  daily_count: { day: number; name: string; count: number }
  /** Visitors of a day, by a keyed hash that identifies no person; deleted after the day. */
  daily_visitor: { day: number; visitor_hash: string }
}

interface JobTable extends Stamps {
  id: Id
  kind: string
  payload: string
  /** At most one waiting job of a key, held by a unique index; empty for none. */
  key: Defaulted<string>
  state: 'waiting' | 'running' | 'failed'
  attempts: Defaulted<number>
  /** Higher runs first. */
  priority: Defaulted<number>
  /** The member that it is done for; 0 for the site itself. */
  owner: Defaulted<number>
  /** Jobs of the same priority: the lower first, one of each owner in a round. */
  round: Defaulted<number>
  run_at: number
  lease_until: Defaulted<number>
  worker: Defaulted<string>
  error: Defaulted<string>
}

/** A process that does background work. */
interface WorkerTable {
  id: string
  host: string
  pid: number
  version: string
  /** The programs that it found, as JSON; empty until it has looked. */
  tools: Defaulted<string>
  tools_checked_at: number | null
  started_at: number
  seen_at: number
}

/** A backup that the site makes of itself. */
interface BackupTable extends Stamps {
  id: Id
  state: 'waiting' | 'running' | 'done' | 'failed'
  /** One at a time; empty once it is not pending. */
  pending_key: Defaulted<string>
  is_scheduled: Bit
  /** The machine on which it lies, and where. */
  host: Defaulted<string>
  folder: Defaulted<string>
  name: Defaulted<string>
  /** How far it is. */
  note: Defaulted<string>
  error: Defaulted<string>
  size: Defaulted<number>
  rows: Defaulted<number>
  files: Defaulted<number>
  missing: Defaulted<number>
  altered: Defaulted<number>
  finished_at: Defaulted<number | null>
}

interface MailTable extends Stamps {
  id: Id
  recipient: string
  template: string
  /** Parameters of the template, such as codes and links, as JSON; erased when they are no longer needed. */
  params: string
  /** Of the Message-ID header: the same at every attempt. */
  message_id: string
  /** Its code or link is invalid after this. */
  expires_at: number
  state: 'waiting' | 'sent' | 'failed'
  attempts: Defaulted<number>
  /** Why the last attempt failed. */
  error: Defaulted<string>
  /** Where the recipient ends such mails; empty for mails that were asked for. */
  unsubscribe: Defaulted<string>
}

/** What staff have changed. */
interface AuditLogTable {
  id: Id
  user_id: number
  /** As it was then. */
  username: string
  ip: Defaulted<string>
  /** The part of the contract, such as `settings`, and the endpoint in it. */
  area: string
  action: string
  /** Separated by commas. */
  target_ids: Defaulted<string>
  /** The act and its targets, in words; empty in entries of older versions. */
  sentence: Defaulted<string>
  /** The targets as they were called then: `[{id, name, href}]` as JSON. */
  targets: Defaulted<string>
  /** In short, secrets masked. */
  change: Defaulted<string>
  created_at: number
}
