import type { DocumentStatus } from '#shared/document-status.ts'
import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { isOpenSite } from '#shared/settings.ts'
import type { Ctx } from '#server/context.ts'
import { watermarkText } from '#server/modules/renditions/page-images.ts'
import { isPublic, readsAll } from './documents.policy.ts'

/**
 * A view key is a signed capability in the addresses of a document's images, which carry no session token. It is
 * `attachment.hash` on the wire. For a public document on an open site it never changes, so that images can be cached for
 * ever; otherwise it is given to viewers who may see the document, and expires.
 */
export interface ViewKey {
  id: number
  /** Cache busting: changes when the images do. The server serves the current ones whatever it says. */
  revision: number
  scope: 'public' | 'limited' | 'whole'
  /** Given to staff, who also see a closed site and hidden documents. */
  staff: boolean
  /** In seconds; 0 for ever. */
  expires: number
}

interface ViewedDocument {
  id: number
  user_id: number
  status: DocumentStatus
  deleted_at: number | null
}

const scopes = ['public', 'limited', 'whole'] as const
const staffFlag = 0x80
const periodSeconds = 3600
const keyPattern = /^[\w-]{32}$/

/** The key for this viewer; `revision` is the rendition's. */
export function viewKey(ctx: Ctx, document: ViewedDocument, revision: number): string {
  const scope = scopeFor(ctx, document)
  // Rounded to whole periods, so that a page that is shown again asks for the same addresses.
  const expires = scope === 'public' ? 0 : (Math.floor(ctx.now() / 1000 / periodSeconds) + 2) * periodSeconds
  return sign(ctx.keys.view, {
    id: document.id,
    revision: imageVersion(ctx, revision),
    scope,
    staff: scope !== 'public' && ctx.viewer.isStaff,
    expires,
  })
}

/** Undefined when it is not ours, or has expired. */
export function parseViewKey({ keys, now }: Pick<Ctx, 'keys' | 'now'>, key: string): ViewKey | undefined {
  if (!keyPattern.test(key)) return undefined
  const bytes = Buffer.from(key, 'base64url')
  const body = bytes.subarray(0, 12)
  if (!timingSafeEqual(bytes.subarray(12), mac(keys.view, body))) return undefined
  const rights = body.readUInt8(7)
  const scope = scopes[rights & ~staffFlag]
  const expires = body.readUInt32BE(8)
  if (!scope || (expires !== 0 && expires * 1000 < now())) return undefined
  const staff = (rights & staffFlag) !== 0
  return { id: body.readUIntBE(0, 5), revision: body.readUInt16BE(5), scope, staff, expires }
}

/** A new conversion, watermark or preview limit makes new addresses. */
export function imageVersion({ settings }: Pick<Ctx, 'settings'>, revision: number): number {
  const { max_preview, max_preview_percent } = settings.converter
  const input = [revision, max_preview, max_preview_percent, watermarkText(settings)].join('\n')
  if (input !== latest.input) latest = { input, number: createHash('sha256').update(input).digest().readUInt16BE(0) }
  return latest.number
}

/** Memoized: most documents of a list have the same input. */
let latest = { input: '', number: 0 }

function scopeFor(ctx: Ctx, document: ViewedDocument): ViewKey['scope'] {
  if (readsAll(ctx.viewer, document)) return 'whole'
  return isPublic(document) && isOpenSite(ctx.settings) ? 'public' : 'limited'
}

function sign(key: Uint8Array, { id, revision, scope, staff, expires }: ViewKey): string {
  const body = Buffer.alloc(12)
  body.writeUIntBE(id, 0, 5)
  body.writeUInt16BE(revision, 5)
  body.writeUInt8(scopes.indexOf(scope) | (staff ? staffFlag : 0), 7)
  body.writeUInt32BE(expires, 8)
  return Buffer.concat([body, mac(key, body)]).toString('base64url')
}

function mac(key: Uint8Array, body: Uint8Array): Uint8Array {
  return createHmac('sha256', toKeyObject(key)).update(body).digest().subarray(0, 12)
}

const keyObjects = new WeakMap<Uint8Array, KeyObject>()

/** Memoized: importing a key costs more than using it, and a page of covers uses it a hundred times. */
function toKeyObject(key: Uint8Array): KeyObject {
  const keyObject = keyObjects.get(key) ?? createSecretKey(key)
  keyObjects.set(key, keyObject)
  return keyObject
}
