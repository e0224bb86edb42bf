import type { Punishment } from '#shared/enums.ts'
import type { PermissionPath } from '#shared/permissions.ts'
import type { Settings } from '#shared/settings.ts'
import type { Db } from './db/open.ts'
import type { Emit, EventName, Events } from './events.ts'
import type { Mail } from './gateways/mail.ts'
import type { Logger } from './log.ts'
import type { Keys } from './keys.ts'
import type { Converter } from './convert/converter.ts'
import type { Search } from './fulltext/fulltext.ts'
import type { Storage } from './storage/storage.ts'

/** Who asks. An anonymous visitor has id 0 and may do nothing that needs a right. */
export interface Viewer {
  id: number
  username: string
  sessionId: number
  groups: readonly ViewerGroup[]
  /** Holds at least one permission. */
  isStaff: boolean
  isRoot: boolean
  can(permission: PermissionPath): boolean
  /** The sentence to show if a punishment of one of these kinds is in force. */
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

/** Where a request came from. */
export interface Origin {
  ip: string
  /** What limits count by: one subscriber's whole network, where addresses cost nothing. */
  network: string
  userAgent: string
}

/** What every rule works with. */
export interface Ctx {
  db: Db
  settings: Settings
  viewer: Viewer
  origin: Origin
  log: Logger
  mail: Mail
  storage: Storage
  converter: Converter
  search: Search
  keys: Keys
  now(): number
  /** Random, unguessable, safe in addresses. */
  id(): string
  emit: Emit
}

/** Someone is logged in. Only `admit` makes one, so that forgetting the check does not compile. */
export interface MemberCtx extends Ctx {
  readonly member: true
}

export const anonymous: Viewer = {
  id: 0,
  username: '',
  sessionId: 0,
  groups: [],
  isStaff: false,
  isRoot: false,
  can: () => false,
  punished: () => undefined,
}

/**
 * Runs `work` in one transaction, with a context whose database handle is the transaction's.
 * Name the parameter `ctx` too: it hides the outer one, which must not be used inside.
 * Events are delivered once the transaction has been committed, and never if it was not.
 */
export async function transaction<C extends Ctx, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  const happened: (() => void)[] = []
  const emit = <E extends EventName>(name: E, payload: Events[E]) => {
    happened.push(() => ctx.emit(name, payload))
  }
  const result = await ctx.db.transaction().execute((db) => work({ ...ctx, db, emit }))
  for (const tell of happened) tell()
  return result
}
