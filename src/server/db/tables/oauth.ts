import type { OauthIntent, OauthType, ScanStatus } from '#shared/enums.ts'
import type { Defaulted, Id, Stamps } from './column.ts'

export interface OauthTables {
  oauth_binding: OauthBindingTable
  oauth_state: OauthStateTable
  oauth_ticket: OauthTicketTable
  scan_login: ScanLoginTable
}

/** An account of another site that a member logs in with. */
interface OauthBindingTable extends Stamps {
  id: Id
  user_id: number
  type: OauthType
  /** Of a provider whose issuer is a setting; otherwise empty. */
  issuer: Defaulted<string>
  openid: string
  /** Shared by several apps of one owner; otherwise empty. */
  unionid: Defaulted<string>
  name: Defaulted<string>
  avatar: Defaulted<string>
}

/** A browser that was sent to a provider. */
interface OauthStateTable {
  hash: string
  type: OauthType
  /** A hash of the cookie of the browser that may come back. */
  browser: string
  nonce: string
  code_verifier: string
  intent: OauthIntent
  /** For whom an account is bound; 0 for a log-in. */
  user_id: Defaulted<number>
  redirect: Defaulted<string>
  expires_at: number
}

/** A person whom a provider knows and no member is bound to yet. */
interface OauthTicketTable {
  hash: string
  type: OauthType
  issuer: Defaulted<string>
  openid: string
  unionid: Defaulted<string>
  name: Defaulted<string>
  avatar: Defaulted<string>
  email: Defaulted<string>
  /** Of the web page that waits for this log-in; empty if none does. */
  scene: Defaulted<string>
  expires_at: number
}

/** A web page that shows a code of the mini program. */
interface ScanLoginTable {
  scene: string
  /** The page polls with a secret that the code does not show. */
  secret_hash: string
  intent: OauthIntent
  status: ScanStatus
  /** To bind: who asks for it. To log in: who has confirmed. */
  user_id: Defaulted<number>
  expires_at: number
}
