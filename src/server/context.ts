import type { Punishment } from '#shared/enums.ts'
import type { PermissionPath } from '#shared/permissions.ts'
import type { Settings } from '#shared/settings.ts'
import type { Db } from './db/open.ts'
import type { Emit, EventName, Events } from './events.ts'
import type { Mail } from './gateways/mail.ts'
import type { Logger } from './log.ts'
import type { Keys } from './keys.ts'
import type { Converter } from './convert/converter.ts'
import type { FulltextIndex } from './fulltext/fulltext.ts'
import type { Cipher } from './secrets/cipher.ts'
import type { Storage } from './storage/storage.ts'

/** The user who sent a request. An anonymous visitor has id 0 and no rights. */
export interface Viewer {
  id: number
  username: string
  sessionId: number
  groups: readonly ViewerGroup[]
  /** Share links that this request has proven to hold. */
  shares: readonly ViewerShare[]
  /** Publishes without review: a reviewer trusts this author. */
  isTrusted: boolean
  /** Holds at least one permission. */
  isStaff: boolean
  /** Root, or a member of the administrators' group: holds every permission. */
  isAdministrator: boolean
  /** Owns the site. */
  isRoot: boolean
  /** Somebody else has typed the password: it has to be changed first. */
  mustChangePassword: boolean
  /** Has two-step verification on. */
  hasSecondFactor: boolean
  /** When this session last proved to be the owner's: at log-in, or since. */
  provenAt: number
  /** Until when the site, which demands two-step verification of staff, waits for it; 0 if it demands nothing. */
  secondFactorDueAt: number
  can(permission: PermissionPath): boolean
  /** The message to show if a punishment of one of these types is active. */
  punished(...types: Punishment[]): string | undefined
}

export interface ViewerGroup {
  id: number
  enable_upload: number
  enable_document_review: number
  enable_comment: number
  enable_comment_approval: number
  enable_article: number
  enable_article_approval: number
}

export interface ViewerShare {
  id: number
  document_id: number
  /** Null for any number. */
  downloads_left: number | null
}

/** Where a request came from. */
export interface Origin {
  ip: string
  /** What rate limits count by: an IPv6 subscriber has a whole network of addresses. */
  network: string
  userAgent: string
}

/** The cookies of a request and of its response. */
export interface Cookies {
  get(name: string): string | undefined
  /** A whole `Set-Cookie` header. */
  set(header: string): void
}

/** The context of every rule. */
export interface Ctx {
  db: Db
  settings: Settings
  viewer: Viewer
  origin: Origin
  /** Absent where there is no request: in jobs, commands and server rendering. */
  cookies?: Cookies
  log: Logger
  mail: Mail
  storage: Storage
  converter: Converter
  search: FulltextIndex
  keys: Keys
  cipher: Cipher
  now(): number
  /** Random, unguessable, safe in URLs. */
  id(): string
  emit: Emit
  /** In audited calls: describes the change better than its input would. */
  audit?: (note: AuditNote) => void
  /** The approved request that this call carries out. */
  approvedOutlay?: number
  /** Runs in the outermost transaction before its commit; what it returns, after the commit. */
  beforeCommit?: (ctx: Ctx) => Promise<(() => void) | undefined>
}

export interface AuditNote {
  /** The act, if its endpoint alone does not say it: 通过了文档. */
  act?: string
  ids?: readonly (number | string)[]
  change?: string
  /** A remarkable circumstance, beside the change. */
  notice?: string
  /** The request was answered before: it is no second entry. */
  isRepeated?: boolean
}

/** For a logged-in viewer. Only `admit` creates it, so that a handler without the access check does not compile. */
export interface MemberCtx extends Ctx {
  readonly member: true
}

export const anonymous: Viewer = {
  id: 0,
  username: '',
  sessionId: 0,
  groups: [],
  shares: [],
  isStaff: false,
  isAdministrator: false,
  isTrusted: false,
  mustChangePassword: false,
  isRoot: false,
  hasSecondFactor: false,
  provenAt: 0,
  secondFactorDueAt: 0,
  can: () => false,
  punished: () => undefined,
}

/** A rule of one statement, in a transaction all the same, so that its audit entry stands or falls with it. */
export function inTransaction<C extends Ctx, I, T>(
  rule: (ctx: C, input: I) => Promise<T>,
): (ctx: C, input: I) => Promise<T> {
  return (ctx, input) => transaction(ctx, (ctx) => rule(ctx, input))
}

/**
 * Runs `work` in one transaction, with a context whose database handle is the transaction's.
 * Name the parameter `ctx` too: it hides the outer one, which must not be used inside.
 * Events are delivered once the transaction has been committed, and never if it was not.
 */
export async function transaction<C extends Ctx, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  const afterCommit: (() => void)[] = []
  const emit = <E extends EventName>(name: E, payload: Events[E]) => {
    afterCommit.push(() => ctx.emit(name, payload))
  }
  const result = await ctx.db.transaction().execute(async (db) => {
    const inner = { ...ctx, db, emit }
    const result = await work(inner)
    const committed = await ctx.beforeCommit?.(inner)
    if (committed) afterCommit.unshift(committed)
    return result
  })
  for (const call of afterCommit) call()
  return result
}
