import { errors as jose, jwtVerify, type JWTPayload, SignJWT } from 'jose'
import * as z from 'zod/mini'
import type { Ctx } from '#server/context.ts'

/** What a download link proves: this user may have this content of this document. */
export interface DownloadLink {
  documentId: number
  /** 0 for a visitor. */
  userId: number
  hash: string
  /** Given to a reviewer: valid in every status, for as long as they may review. */
  review: boolean
  /** The share link that opens the document for them; 0 for none. */
  shareId: number
}

const purpose = { issuer: 'wendou', audience: 'download' }
const Claims = z.object({
  document: z.int(),
  user: z.int(),
  hash: z.string(),
  review: z.boolean(),
  share: z._default(z.int(), 0),
})

/**
 * Carries its own token, so that a browser can follow it. On the site's domain, where one is set: clients that are no pages
 * of the site know no other host.
 */
export async function createDownloadLink(
  ctx: Ctx,
  { documentId, userId, hash, review, shareId }: DownloadLink,
): Promise<string> {
  const seconds = Math.floor(ctx.now() / 1000)
  const token = await new SignJWT({ document: documentId, user: userId, hash, review, share: shareId })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(purpose.issuer)
    .setAudience(purpose.audience)
    .setExpirationTime(seconds + ctx.settings.download.url_duration)
    .sign(ctx.keys.links)
  return `${ctx.settings.system.domain}/download/${token}`
}

/** Undefined when it is not ours. An expired one still names the document at which to ask for another. */
export async function parseDownloadLink(
  { keys, now }: Pick<Ctx, 'keys' | 'now'>,
  token: string,
): Promise<(DownloadLink & { expired: boolean }) | undefined> {
  try {
    const options = { ...purpose, algorithms: ['HS256'], requiredClaims: ['exp'], currentDate: new Date(now()) }
    const { payload } = await jwtVerify(token, keys.links, options)
    return toLink(payload, false)
  } catch (error) {
    // Thrown only after the signature was verified.
    if (error instanceof jose.JWTExpired) return toLink(error.payload, true)
    return undefined
  }
}

function toLink(payload: JWTPayload, expired: boolean) {
  const { success, data } = z.safeParse(Claims, payload)
  if (!success) return undefined
  const { document: documentId, user: userId, share: shareId, hash, review } = data
  return { documentId, userId, shareId, hash, review, expired }
}
