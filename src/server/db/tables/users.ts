import type { ActivityType, CodeScene, SmsStatus } from '#shared/enums.ts'
import type { Bit, Defaulted, Id, Stamps } from './column.ts'

export interface UserTables {
  user: UserTable
  captcha: { id: string; purpose: string; answer: string; mailed: Defaulted<Bit>; expires_at: number }
  verification_code: VerificationCodeTable
  sms: SmsTable
  activity: ActivityTable
  saved_view: SavedViewTable
  account_deletion: AccountDeletionTable
  data_export: DataExportTable
  reset_token: { hash: string; user_id: number; email: string; expires_at: number }
}

interface UserTable extends Stamps {
  id: Id
  username: string
  /** Unique: see shared/names.ts. */
  username_key: string
  /** Not available to other users for a while. */
  former_username_key: Defaulted<string>
  username_changed_at: Defaulted<number | null>
  password: string
  mobile: Defaulted<string>
  /** Null unless a code that was sent to it came back. Until then other accounts may name the same number. */
  mobile_verified_at: Defaulted<number | null>
  email: Defaulted<string>
  email_key: Defaulted<string>
  /** Null unless a code or a link that was mailed to it came back. Until then other accounts may name the same address. */
  email_verified_at: Defaulted<number | null>
  address: Defaulted<string>
  signature: Defaulted<string>
  avatar: Defaulted<string>
  /** Encrypted, as the next: see users/identity. */
  identity: Defaulted<string>
  realname: Defaulted<string>
  /** A keyed digest of the real name. */
  realname_key: Defaulted<string>
  remark: Defaulted<string>
  /** Somebody else has typed the password. */
  must_change_password: Defaulted<Bit>
  /** Publishes without review. */
  is_trusted: Defaulted<Bit>
  /** Owns the site: one user at a time. */
  is_root: Defaulted<Bit>
  register_ip: Defaulted<string>
  last_login_ip: Defaulted<string>
  doc_count: Defaulted<number>
  article_count: Defaulted<number>
  follow_count: Defaulted<number>
  fans_count: Defaulted<number>
  favorite_count: Defaulted<number>
  comment_count: Defaulted<number>
  credit_count: Defaulted<number>
  /** The end of the last VIP card; 0 if there never was one. */
  vip_until: Defaulted<number>
  login_at: number | null
  /** The account was deleted by its owner: the row stays, without anything personal, for content and orders. */
  deleted_at: Defaulted<number | null>
}

/** A member has asked for the deletion of the account. */
interface AccountDeletionTable {
  user_id: number
  /** Public documents and articles stay, without a name. */
  keeps_content: Bit
  requested_at: number
  due_at: number
  /** The account is gone, and what belongs to it is being deleted. */
  started_at: Defaulted<number | null>
  finished_at: Defaulted<number | null>
}

/** The data of a member, as an archive to download. */
interface DataExportTable extends Stamps {
  id: Id
  user_id: number
  state: 'waiting' | 'running' | 'ready' | 'failed' | 'expired'
  /** One at a time for each member; empty once it is not pending. */
  pending_key: Defaulted<string>
  /** In the storage; empty until it is written, and once it is removed. */
  storage_key: Defaulted<string>
  done: Defaulted<number>
  total: Defaulted<number>
  size: Defaulted<number>
  expires_at: Defaulted<number>
}

/** The activities of a member, visible to that member. */
interface ActivityTable {
  id: Id
  user_id: number
  type: ActivityType
  /** Credits earned or spent. */
  amount: Defaulted<number>
  /** The title of its subject at that time, and its address. */
  subject: Defaulted<string>
  href: Defaulted<string>
  created_at: number
}

/** How a member wants to see a list of the back office. */
interface SavedViewTable extends Stamps {
  id: Id
  user_id: number
  /** The path of the list. */
  screen: string
  name: string
  /** Filters and order, as in the address. */
  query: Defaulted<string>
  /** Comma separated. */
  columns: Defaulted<string>
}

/** A code that was sent, of which only the latest of its kind, target and scene is valid. */
interface VerificationCodeTable {
  id: Id
  kind: CodeTarget
  target: string
  scene: CodeScene
  /** An HMAC: readers of the database do not learn it. */
  code: string
  tries: Defaulted<number>
  used: Defaulted<Bit>
  ip: string
  expires_at: number
  created_at: number
}

/** A message, without its code. */
interface SmsTable {
  id: Id
  mobile: string
  scene: CodeScene
  provider: string
  status: SmsStatus
  /** The provider's words when it was refused, or why nothing is known. */
  reason: Defaulted<string>
  /** How many messages the provider charges for. */
  segments: Defaulted<number>
  /** Estimated by the price of that time, in thousandths of a yuan. */
  cost: Defaulted<number>
  ip: string
  created_at: number
  updated_at: number
}

export type CodeTarget = 'email' | 'mobile'
