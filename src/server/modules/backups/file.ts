import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { jwtVerify, SignJWT } from 'jose'
import * as z from 'zod/mini'
import { errors } from '#shared/errors.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { fileResponse } from '#server/http/files/ranges.ts'
import { findViewerOfSession } from '#server/modules/access/access.viewer.ts'
import { type BackupDeps, findFile, getBackup } from './backups.ts'

const purpose = { issuer: 'wendou', audience: 'backup' }
const Claims = z.object({ backup: z.int(), session: z.int() })
const validSeconds = 60 * 60

/** A path that carries its own token: a browser follows it without the header that proves a session. */
export async function createBackupLink(ctx: MemberCtx, id: number, { folder }: BackupDeps): Promise<string> {
  const row = await getBackup(ctx.db, id)
  if (row.state !== 'done') throw errors.backups.notFound()
  if (findFile(row, folder) === undefined) throw errors.backups.elsewhere(`${row.host}：${join(row.folder, row.name)}`)
  ctx.audit?.({ ids: [id], change: row.name })
  const token = await new SignJWT({ backup: id, session: ctx.viewer.sessionId })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(purpose.issuer)
    .setAudience(purpose.audience)
    .setExpirationTime(Math.floor(ctx.now() / 1000) + validSeconds)
    .sign(ctx.keys.links)
  return `/download/backup/${token}`
}

/** The file behind a link, while the session that it was given to is there, and still an administrator's. */
export async function serveBackup(
  ctx: Ctx,
  token: string,
  request: Request,
  { folder }: BackupDeps,
): Promise<Response> {
  const link = await parseLink(ctx, token)
  const viewer = link && (await findViewerOfSession(ctx, link.session))
  const row = viewer?.isAdministrator ? await getBackup(ctx.db, link?.backup ?? 0) : undefined
  const path = row && findFile(row, folder)
  if (!row || !path) throw errors.backups.notFound()
  const { size } = await stat(path)
  const response = await fileResponse(request, {
    size,
    type: 'application/x-tar',
    open: async (range) => createReadStream(path, range),
    etag: row.name,
    cache: 'private, no-store',
    name: row.name,
  })
  if (!response) throw errors.backups.notFound()
  return response
}

/** Undefined when it is not ours, or too old. */
async function parseLink({ keys, now }: Ctx, token: string): Promise<z.output<typeof Claims> | undefined> {
  try {
    const options = { ...purpose, algorithms: ['HS256'], requiredClaims: ['exp'], currentDate: new Date(now()) }
    const { payload } = await jwtVerify(token, keys.links, options)
    return z.safeParse(Claims, payload).data
  } catch {
    return undefined
  }
}
