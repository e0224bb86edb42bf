import type { Bit, Defaulted, Id } from './column.ts'

export interface AccountSecurityTables {
  account_security: AccountSecurityTable
  recovery_code: { id: Id; user_id: number; hash: string; used_at: Defaulted<number | null> }
  passkey: PasskeyTable
  /** Until an authenticator has answered it. */
  passkey_challenge: { challenge: string; purpose: string; user_id: number; expires_at: number }
  /** A challenge of a log-in is signed, not stored; it is stored once it was used. */
  used_login_challenge: { id: string; expires_at: number }
  /** Devices and networks from which a member has logged in, as fingerprints. */
  known_device: { user_id: number; device: string; seen_at: number }
}

interface AccountSecurityTable {
  user_id: number
  /** Names the account to authenticators; random, as it must not tell who it is. */
  handle: string
  /** Encrypted; empty without an authenticator app. */
  totp_secret: Defaulted<string>
  /** Encrypted: shown to the member, who has not yet entered a code of it. */
  totp_pending: Defaulted<string>
  totp_enabled_at: Defaulted<number | null>
  /** The time step of the last code that was accepted: no code is accepted twice. */
  totp_last_step: Defaulted<number>
  /** Passkeys are asked for as the second factor. */
  passkey_second: Defaulted<Bit>
  mails_new_devices: Defaulted<Bit>
  /** Since when the site has demanded a second factor of this member of the staff. */
  demanded_at: Defaulted<number | null>
}

interface PasskeyTable {
  id: Id
  user_id: number
  name: string
  credential_id: string
  /** COSE, in base64url. */
  public_key: string
  counter: number
  /** Comma separated. */
  transports: Defaulted<string>
  /** Backed up by its provider. */
  synced: Defaulted<Bit>
  /** Its counter went back: there may be a copy. */
  cloned_at: Defaulted<number | null>
  used_at: Defaulted<number | null>
  created_at: number
}
