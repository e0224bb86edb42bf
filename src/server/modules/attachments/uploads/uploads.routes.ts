import type { Hono } from 'hono'
import { attachments, type uploads } from '#shared/contract/attachments.ts'
import type { Access } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { strip } from '#shared/wire.ts'
import type { Ctx } from '#server/context.ts'
import { admit } from '#server/http/api/admit.ts'
import type { Handlers, RequestCtx } from '#server/http/api/mount.ts'
import { presentAttachments } from '../attachments.present.ts'
import { type PictureUse, receivePicture, receiveVideo } from '../pictures/receive.ts'
import { servePicture } from '../pictures/serve.ts'
import { receiveDocument } from './documents.ts'
import { askForProof, claimByProof } from './instant.ts'
import type { Resumable } from './resumable.ts'

/** Where files come in: requests that may be large and long. */
export const uploadPath = '/api/v1/upload/'
export const tusPath = `${uploadPath}tus`
/** Headers of the protocol that pages of other origins must be able to read. */
export const tusHeaders = ['location', 'tus-resumable', 'upload-expires', 'upload-length', 'upload-offset']

export function uploadHandlers(resumable: Resumable): Handlers<typeof uploads> {
  return {
    challenge: askForProof,
    claim: claimByProof,
    result: async (ctx, { upload }) => ({ id: await resumable.result(ctx, upload) }),
  }
}

interface Receiving {
  resumable: Resumable
  /** For files that are still coming. */
  folder: string
  contextOf: RequestCtx
}

/** What the contract cannot say, since it is no JSON: files in forms, the tus protocol, and pictures going out. */
export function fileRoutes(site: Hono, { resumable, folder, contextOf }: Receiving): void {
  site.post(`${uploadPath}document`, async (context) => {
    const ctx = admit('member', await contextOf(context))
    const id = await receiveDocument(ctx, context.req.raw, folder)
    return context.json({ code: 200, message: 'ok', data: { id } })
  })

  for (const [use, access] of Object.entries(pictureAccess)) {
    site.post(uploadPath + use, async (context) => {
      const ctx = admit(access, await contextOf(context))
      const id = await receivePicture(ctx, context.req.raw, use as PictureUse, folder)
      return context.json({ code: 200, message: 'ok', data: await attachmentOf(ctx, id) })
    })
  }

  // The editor wants its answer in a shape of its own.
  site.post(`${uploadPath}article`, async (context) => {
    const ctx = admit('member', await contextOf(context))
    const isVideo = context.req.query('type') === 'video'
    const id = isVideo
      ? await receiveVideo(ctx, context.req.raw, folder)
      : await receivePicture(ctx, context.req.raw, 'article', folder)
    const { path, name } = await rowOf(ctx, id)
    return context.json({ errno: 0, data: isVideo ? { url: path } : { url: path, alt: name } })
  })

  site.on(['GET', 'POST', 'PATCH', 'DELETE'], [tusPath, `${tusPath}/*`], async (context) => {
    context.header('tus-resumable', '1.0.0')
    const ctx = admit('member', await contextOf(context))
    return resumable.handle(ctx, context.req.raw)
  })

  site.get('/uploads/:folder/:file', async (context) => {
    const found = await servePicture(await contextOf(context), context.req.raw, context.req.param('file'))
    if (!found) throw errors.attachments.notFound()
    return found
  })
}

const pictureAccess: Record<Exclude<PictureUse, 'article'>, Access> = {
  avatar: 'member',
  banner: { permission: 'upload/banner' },
  category: { permission: 'upload/category' },
  config: { permission: 'upload/config' },
}

async function attachmentOf(ctx: Ctx, id: number): Promise<unknown> {
  const [attachment] = await presentAttachments(ctx.db, [await rowOf(ctx, id)])
  return strip(attachments.get.reply, attachment)
}

function rowOf(ctx: Ctx, id: number) {
  return ctx.db.selectFrom('attachment').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
