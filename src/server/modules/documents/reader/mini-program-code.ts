import { buffer } from 'node:stream/consumers'
import { errors } from '#shared/errors.ts'
import type { FileReply } from '#shared/fields.ts'
import type { Ctx } from '#server/context.ts'
import { WeChatError } from '#server/gateways/wechat/api.ts'
import { fetchMiniProgramCode } from '#server/gateways/wechat/mini-program.ts'
import { fingerprint } from '#server/keys.ts'
import { countAttempt } from '#server/modules/auth/attempts.ts'
import { getVisible } from '../documents.get.ts'

/** The picture of a code that opens the document in the mini program. WeChat is asked once for each. */
export async function getMiniProgramCode(ctx: Ctx, { id }: { id: number }): Promise<FileReply> {
  await getVisible(ctx, { id })
  const picture = await readPicture(ctx, id)
  const isJpeg = picture[0] === 0xff
  return {
    name: `${id}.${isJpeg ? 'jpg' : 'png'}`,
    type: isJpeg ? 'image/jpeg' : 'image/png',
    body: new Blob([new Uint8Array(picture)]),
  }
}

async function readPicture(ctx: Ctx, id: number): Promise<Buffer> {
  const { app_id, app_secret, document_page, gateway } = ctx.settings.miniprogram
  const app = { appId: app_id.trim(), secret: app_secret.trim(), gateway }
  if (!app.appId || !app.secret) throw errors.documents.noMiniProgram()
  // Another app, or another page, has another picture.
  const key = `mini-program-codes/${fingerprint(`${app.appId} ${document_page}`)}/${id}`
  const stored = await ctx.storage.read(key)
  if (stored) return buffer(stored)
  // WeChat counts the calls.
  await countAttempt(ctx, `mini-program-code:${ctx.origin.network}`, { free: 60, maxDelayMs: 60_000 })
  try {
    const picture = await fetchMiniProgramCode(app, { scene: String(id), page: document_page })
    await ctx.storage.put(key, picture)
    return picture
  } catch (error) {
    if (!(error instanceof WeChatError)) throw error
    ctx.log.error({ reason: error.message }, 'WeChat gave no code of the mini program')
    throw errors.documents.codePictureFailed()
  }
}
