import { jwtVerify, SignJWT } from 'jose'
import * as z from 'zod/mini'
import type { MemberCtx, Ctx } from '#server/context.ts'

/** What a link to an archive proves: it was given to this session, which must still be there. */
export interface ExportLink {
  exportId: number
  sessionId: number
}

const purpose = { issuer: 'wendou', audience: 'export' }
const Claims = z.object({ export: z.int(), session: z.int() })
/** A page that shows it asks for a new one when it is loaded. */
const validSeconds = 30 * 60

/** A path that carries its own token: a browser follows it without the header that proves a session. */
export async function createExportLink({ keys, now, viewer }: MemberCtx, exportId: number): Promise<string> {
  const token = await new SignJWT({ export: exportId, session: viewer.sessionId })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(purpose.issuer)
    .setAudience(purpose.audience)
    .setExpirationTime(Math.floor(now() / 1000) + validSeconds)
    .sign(keys.links)
  return `/download/export/${token}`
}

/** Undefined when it is not ours, or too old. */
export async function parseExportLink({ keys, now }: Ctx, token: string): Promise<ExportLink | undefined> {
  try {
    const options = { ...purpose, algorithms: ['HS256'], requiredClaims: ['exp'], currentDate: new Date(now()) }
    const { payload } = await jwtVerify(token, keys.links, options)
    const { data } = z.safeParse(Claims, payload)
    return data && { exportId: data.export, sessionId: data.session }
  } catch {
    return undefined
  }
}
