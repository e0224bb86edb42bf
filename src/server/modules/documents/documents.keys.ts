import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { maxPreview } from '#shared/preview.ts'
import { isOpenSite } from '#shared/settings.ts'
import type { Ctx } from '#server/context.ts'
import { drawing, watermarkText } from '#server/modules/renditions/page-images.ts'
import { type DocumentAccess, isPublic, readsAll } from './documents.policy.ts'
import { findShare } from './visibility/visibility.policy.ts'

/**
 * A view key is a signed capability in the addresses of a document's images, which carry no session token. It is
 * `attachment.hash` on the wire. For a public document on an open site it never changes, so that images can be cached for
 * ever. Otherwise it names the session that it was given to, and opens what the user of that session may see at the time of
 * the request: it ends with the session and follows every change of the user's rights. Where a share link alone opens the
 * document, it names that link, and ends with it. It also expires, as addresses get around.
 */
export interface ViewKey {
  id: number
  /** Cache busting: changes when the images do. The server serves the current ones whatever it says. */
  revision: number
  /** 0 for a visitor's. */
  sessionId: number
  /** 0 unless a share link opens the document. */
  shareId: number
}

interface ViewedDocument extends DocumentAccess {
  id: number
  price: number
  isPaidFor: boolean
}

const periodSeconds = 3600
/**
 * The document's id, the revision, and five bytes that are 0; in a personal key, the expiry and the session follow, and the
 * share link where one is needed.
 */
const everybodysBytes = 12
const personalBytes = 22
const sharedBytes = 28
const macBytes = 12

/** The key for this viewer; `revision` is the rendition's. */
export function viewKey(ctx: Ctx, document: ViewedDocument, revision: number): string {
  const sessionId = isEverybodys(ctx, document) ? 0 : ctx.viewer.sessionId
  const shareId = findShare(ctx.viewer, document)?.id ?? 0
  const personal = sessionId === 0 ? everybodysBytes : personalBytes
  const body = Buffer.alloc(shareId === 0 ? personal : sharedBytes)
  body.writeUIntBE(document.id, 0, 5)
  body.writeUInt16BE(imageVersion(ctx, document, revision), 5)
  if (body.length > everybodysBytes) {
    // Rounded to whole periods, so that a page that is shown again asks for the same addresses.
    body.writeUInt32BE((Math.floor(ctx.now() / 1000 / periodSeconds) + 2) * periodSeconds, everybodysBytes)
    body.writeUIntBE(sessionId, everybodysBytes + 4, 6)
  }
  if (shareId !== 0) body.writeUIntBE(shareId, personalBytes, 6)
  return Buffer.concat([body, mac(ctx.keys.view, body)]).toString('base64url')
}

/** Undefined when it is not ours, or has expired. */
export function parseViewKey({ keys, now }: Pick<Ctx, 'keys' | 'now'>, key: string): ViewKey | undefined {
  const bytes = Buffer.from(key, 'base64url')
  // A decoder ignores what is no base64.
  if (bytes.toString('base64url') !== key) return undefined
  const body = bytes.subarray(0, -macBytes)
  if (![everybodysBytes, personalBytes, sharedBytes].includes(body.length)) return undefined
  if (!timingSafeEqual(bytes.subarray(-macBytes), mac(keys.view, body))) return undefined
  const isPersonal = body.length > everybodysBytes
  if (isPersonal && body.readUInt32BE(everybodysBytes) * 1000 < now()) return undefined
  const sessionId = isPersonal ? body.readUIntBE(everybodysBytes + 4, 6) : 0
  const shareId = body.length === sharedBytes ? body.readUIntBE(personalBytes, 6) : 0
  return { id: body.readUIntBE(0, 5), revision: body.readUInt16BE(5), sessionId, shareId }
}

/** A new conversion, watermark or preview limit makes new addresses, and so does a price if it changes the limit. */
export function imageVersion(
  { settings }: Pick<Ctx, 'settings'>,
  { price }: Pick<ViewedDocument, 'price'>,
  revision: number,
): number {
  const limits = [maxPreview(price, settings), settings.converter.max_preview_percent]
  const input = [drawing, revision, ...limits, watermarkText(settings)].join('\n')
  if (input !== latest.input) latest = { input, number: createHash('sha256').update(input).digest().readUInt16BE(0) }
  return latest.number
}

/** Memoized: most documents of a list have the same input. */
let latest = { input: '', number: 0 }

function isEverybodys(ctx: Ctx, document: ViewedDocument): boolean {
  return isPublic(document) && isOpenSite(ctx.settings) && !readsAll(ctx.viewer, document)
}

function mac(key: Uint8Array, body: Uint8Array): Uint8Array {
  return createHmac('sha256', toKeyObject(key)).update(body).digest().subarray(0, macBytes)
}

const keyObjects = new WeakMap<Uint8Array, KeyObject>()

/** Memoized: importing a key costs more than using it, and a page of covers uses it a hundred times. */
function toKeyObject(key: Uint8Array): KeyObject {
  const keyObject = keyObjects.get(key) ?? createSecretKey(key)
  keyObjects.set(key, keyObject)
  return keyObject
}
