import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Ctx } from '#server/context.ts'
import { isPublic, readsAll } from './documents.policy.ts'

/**
 * A view key names a document to the addresses of its pictures, which carry no token. It is `attachment.hash` on the
 * wire: 32 letters that only we can make. Of a public document on an open site it is always the same, so that pictures
 * can be cached for ever; otherwise it is given to those who may see the document, and ends after a while.
 */
export interface ViewKey {
  id: number
  /** Changes when the pictures do. The server shows the newest whatever it says; caches are kept apart by it. */
  revision: number
  scope: 'public' | 'limited' | 'whole'
  /** Given to one of the staff, to whom a closed site and a hidden document are open. */
  staff: boolean
  /** In seconds; 0 for ever. */
  expires: number
}

interface Viewed {
  id: number
  user_id: number
  status: number
  deleted_at: number | null
}

const scopes = ['public', 'limited', 'whole'] as const
const forStaff = 0x80
const period = 3600
const shape = /^[\w-]{32}$/

/** The key for this viewer. `revision` is the rendition's. */
export function viewKey(ctx: Ctx, document: Viewed, revision: number): string {
  const scope = scopeFor(ctx, document)
  // Whole periods, so that a page shown twice within one asks for the same addresses.
  const expires = scope === 'public' ? 0 : (Math.floor(ctx.now() / 1000 / period) + 2) * period
  return seal(ctx.keys.view, {
    id: document.id,
    revision: pictureRevision(ctx, revision),
    scope,
    staff: scope !== 'public' && ctx.viewer.isStaff,
    expires,
  })
}

/** Undefined when we did not make it, or it has ended. */
export function readViewKey({ keys, now }: Pick<Ctx, 'keys' | 'now'>, key: string): ViewKey | undefined {
  if (!shape.test(key)) return undefined
  const bytes = Buffer.from(key, 'base64url')
  const body = bytes.subarray(0, 12)
  if (!timingSafeEqual(bytes.subarray(12), mac(keys.view, body))) return undefined
  const rights = body.readUInt8(7)
  const scope = scopes[rights & ~forStaff]
  const expires = body.readUInt32BE(8)
  if (!scope || (expires !== 0 && expires * 1000 < now())) return undefined
  const staff = (rights & forStaff) !== 0
  return { id: body.readUIntBE(0, 5), revision: body.readUInt16BE(5), scope, staff, expires }
}

/** What the pictures look like now, and how many: a new conversion, watermark or limit makes new addresses. */
export function pictureRevision({ settings }: Pick<Ctx, 'settings'>, revision: number): number {
  const { max_preview, max_preview_percent } = settings.converter
  const look = [revision, max_preview, max_preview_percent, watermarkOf(settings)].join('\n')
  if (look !== latest.look) latest = { look, number: createHash('sha256').update(look).digest().readUInt16BE(0) }
  return latest.number
}

/** Most documents of a list have been converted as often as one another. */
let latest = { look: '', number: 0 }

/** The text over each page; empty for none. */
export function watermarkOf({ system }: Ctx['settings']): string {
  return system.enable_watermark ? system.watermark || system.sitename : ''
}

function scopeFor(ctx: Ctx, document: Viewed): ViewKey['scope'] {
  if (readsAll(ctx.viewer, document)) return 'whole'
  const { is_close, login_required } = ctx.settings.security
  return isPublic(document) && !is_close && !login_required ? 'public' : 'limited'
}

function seal(key: Uint8Array, { id, revision, scope, staff, expires }: ViewKey): string {
  const body = Buffer.alloc(12)
  body.writeUIntBE(id, 0, 5)
  body.writeUInt16BE(revision, 5)
  body.writeUInt8(scopes.indexOf(scope) | (staff ? forStaff : 0), 7)
  body.writeUInt32BE(expires, 8)
  return Buffer.concat([body, mac(key, body)]).toString('base64url')
}

function mac(key: Uint8Array, body: Uint8Array): Uint8Array {
  return createHmac('sha256', imported(key)).update(body).digest().subarray(0, 12)
}

const keyObjects = new WeakMap<Uint8Array, KeyObject>()

/** To import a key costs more than to use it, and a page of covers uses it a hundred times. */
function imported(key: Uint8Array): KeyObject {
  const known = keyObjects.get(key) ?? createSecretKey(key)
  keyObjects.set(key, known)
  return known
}
