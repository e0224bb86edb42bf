import type { Context, Hono } from 'hono'
import { attachments, type uploads } from '#shared/contract/attachments.ts'
import type { Access } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { strip } from '#shared/wire.ts'
import type { Ctx } from '#server/context.ts'
import { admit } from '#server/http/api/admit.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { presentAttachments } from '../attachments.present.ts'
import { type PictureUse, receivePicture, receiveVideo } from '../pictures/receive.ts'
import { servePicture } from '../pictures/serve.ts'
import { receiveDocument } from './documents.ts'
import { receiveReportProof } from './report-proofs.ts'
import { createChallenge, claimByProof } from './instant.ts'
import { type Resumable, toDocumentId } from './resumable.ts'

/** Requests below it may be large and slow. */
export const uploadPath = '/api/v1/upload/'
export const tusPath = `${uploadPath}tus`
/** For Access-Control-Expose-Headers. */
export const tusHeaders = ['location', 'tus-resumable', 'upload-expires', 'upload-length', 'upload-offset']

export function uploadHandlers(resumable: Resumable): Handlers<typeof uploads> {
  return {
    challenge: createChallenge,
    claim: claimByProof,
    result: async (ctx, { upload }) => ({ id: await resumable.result(ctx, upload) }),
  }
}

interface Deps {
  resumable: Resumable
  /** For temporary files. */
  folder: string
  contextOf: (request: Context) => Promise<Ctx>
}

/** Routes that are not JSON, and so not in the contract: multipart forms, tus, and serving images. */
export function fileRoutes(site: Hono, { resumable, folder, contextOf }: Deps): void {
  site.post(`${uploadPath}document`, async (context) => {
    const ctx = admit('member', await contextOf(context))
    const replaced = toDocumentId(context.req.query('document_id'))
    const id = await receiveDocument(ctx, context.req.raw, { folder, replaced })
    return context.json({ code: 200, message: 'ok', data: { id } })
  })

  site.post(`${uploadPath}report`, async (context) => {
    const ctx = admit('member', await contextOf(context))
    const id = await receiveReportProof(ctx, context.req.raw, folder)
    return context.json({ code: 200, message: 'ok', data: { id } })
  })

  for (const [use, access] of Object.entries(pictureAccess)) {
    site.post(uploadPath + use, async (context) => {
      const ctx = admit(access, await contextOf(context))
      const id = await receivePicture(ctx, context.req.raw, use as PictureUse, folder)
      return context.json({ code: 200, message: 'ok', data: await presentAttachment(ctx, id) })
    })
  }

  // The response format of the editor.
  site.post(`${uploadPath}article`, async (context) => {
    const ctx = admit('member', await contextOf(context))
    const isVideo = context.req.query('type') === 'video'
    const id = isVideo
      ? await receiveVideo(ctx, context.req.raw, folder)
      : await receivePicture(ctx, context.req.raw, 'article', folder)
    const { path, name } = await findRow(ctx, id)
    return context.json({ errno: 0, data: isVideo ? { url: path } : { url: path, alt: name } })
  })

  site.on(['GET', 'POST', 'PATCH', 'DELETE'], [tusPath, `${tusPath}/*`], async (context) => {
    context.header('tus-resumable', '1.0.0')
    const ctx = admit('member', await contextOf(context))
    return resumable.handle(ctx, context.req.raw)
  })

  site.get('/uploads/:folder/:file', async (context) => {
    const response = await servePicture(await contextOf(context), context.req.raw, context.req.param('file'))
    if (!response) throw errors.attachments.notFound()
    return response
  })
}

const pictureAccess: Record<Exclude<PictureUse, 'article'>, Exclude<Access, 'open' | 'public'>> = {
  avatar: 'member',
  banner: { permission: 'upload/banner' },
  category: { permission: 'upload/category' },
  config: { permission: 'upload/config' },
  order: 'member',
}

async function presentAttachment(ctx: Ctx, id: number): Promise<unknown> {
  const [attachment] = await presentAttachments(ctx.db, [await findRow(ctx, id)])
  return strip(attachments.get.reply, attachment)
}

function findRow(ctx: Ctx, id: number) {
  return ctx.db.selectFrom('attachment').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
