import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Server, type ServerOptions, type Upload } from '@tus/server'
import { AppError, errors } from '#shared/errors.ts'
import { extOf } from '#shared/document-kinds.ts'
import { formatSize } from '#shared/format.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { paced } from '#server/http/server/body-timeout.ts'
import type { Storage } from '#server/storage/storage.ts'
import {
  acceptContent,
  acceptName,
  acceptSize,
  documentLimit,
  refuseUploader,
  takeUploadQuota,
} from '../attachments.policy.ts'
import { isDiskFull, keepContent, orDiskFull, refuseBanned } from '../attachments.store.ts'
import { DiskUploads, PartUploads, type UploadBytes } from './upload-bytes.ts'
import { addDocumentFile } from './documents.ts'
import { expiresMs, getOwnUpload, markWhole, postponeExpiry, uploadRows, whole } from './upload-rows.ts'

export interface Resumable {
  /** Answers one request of the tus protocol. */
  handle(ctx: MemberCtx, request: Request): Promise<Response>
  /** The attachment that an upload has become. */
  result(ctx: MemberCtx, id: string): Promise<number>
  purge(ctx: Ctx): Promise<void>
}

interface Places {
  db: Db
  storage: Storage
  dataDir: string
  /** The storage is another machine's: what is under way must be reachable from all of ours. */
  remote: boolean
}

/** Uploads that go on where they stopped. Which one is whose, and how far it is, stands in the database. */
export function resumableUploads(path: string, { db, storage, dataDir, remote }: Places): Resumable {
  const kept = { rows: uploadRows(db), expiresMs }
  const bytes = remote
    ? new PartUploads(storage, join(dataDir, 'tmp'), kept)
    : new DiskUploads(join(dataDir, 'uploads'), kept)
  const contexts = new WeakMap<object, MemberCtx>()
  const faults = new WeakMap<object, unknown>()
  const finishing = new Map<string, Promise<number>>()

  const contextOf = (request: object): MemberCtx => {
    const ctx = contexts.get(request)
    if (!ctx) throw errors.access.loginNeeded()
    return ctx
  }

  /** The last request and the question for the result may come at once: one of them does the work. */
  const finishOnce = (ctx: MemberCtx, id: string): Promise<number> => {
    const begun = finishing.get(id) ?? finish(ctx, bytes, id).finally(() => finishing.delete(id))
    finishing.set(id, begun)
    return begun
  }

  const hooks: Omit<ServerOptions, 'path' | 'locker'> = {
    relativeLocation: true,
    disableTerminationForFinishedUploads: true,
    maxSize: (request) => documentLimit(contextOf(request)),
    namingFunction: (request) => contextOf(request).id(),
    async onIncomingRequest(request, id) {
      if (request.method === 'POST') return
      const ctx = contextOf(request)
      if (request.method === 'PATCH') refuseUploader(ctx)
      const { attachment_id, state } = await getOwnUpload(ctx, id)
      if (request.method !== 'HEAD' && (attachment_id || state === whole)) throw errors.uploads.wrongOffset()
      if (request.method === 'PATCH') await postponeExpiry(ctx, id)
    },
    async onUploadCreate(request, upload) {
      await begin(contextOf(request), upload)
      return {}
    },
    async onUploadFinish(request, { id }) {
      await finishOnce(contextOf(request), id)
      return {}
    },
    onResponseError(request, error) {
      faults.set(request, error)
      return undefined
    },
  }
  const tus = new Server({ path, datastore: bytes, ...hooks })

  return {
    async handle(ctx, given) {
      const finished = await finishedUpload(ctx, given)
      if (finished) return finished
      const body = given.body && paced(given.body)
      const request = new Request(given.url, {
        method: given.method,
        headers: given.headers,
        body,
        duplex: 'half',
      } as never)
      contexts.set(request, ctx)
      const response = await tus.handleWeb(request)
      if (response.status >= 400) throw explain(ctx, response.status, faults.get(request))
      return response
    },

    async result(ctx, id) {
      const { attachment_id, size, state } = await getOwnUpload(ctx, id)
      if (attachment_id) return attachment_id
      refuseUploader(ctx)
      if (state !== whole && (await offsetOf(bytes, id)) < size) throw errors.uploads.unfinished()
      return orDiskFull(finishOnce(ctx, id))
    },

    async purge(ctx) {
      const old = await ctx.db.selectFrom('upload').select('id').where('expires_at', '<=', ctx.now()).execute()
      for (const { id } of old) {
        await bytes.drop(id)
        await ctx.db.deleteFrom('upload').where('id', '=', id).execute()
      }
      for await (const id of bytes.ids()) {
        const known = await ctx.db.selectFrom('upload').select('id').where('id', '=', id).executeTakeFirst()
        if (!known) await bytes.drop(id)
      }
    },
  }
}

/** Who missed the last answer asks how far it is: all of it has come, though its bytes have moved on. */
async function finishedUpload(ctx: MemberCtx, request: Request): Promise<Response | undefined> {
  if (request.method !== 'HEAD') return undefined
  const id = new URL(request.url).pathname.split('/').at(-1) ?? ''
  const { attachment_id, state, size } = await getOwnUpload(ctx, id)
  if (!attachment_id && state !== whole) return undefined
  return new Response(null, {
    headers: {
      'tus-resumable': '1.0.0',
      'cache-control': 'no-store',
      'upload-offset': String(size),
      'upload-length': String(size),
    },
  })
}

async function offsetOf(bytes: UploadBytes, id: string): Promise<number> {
  const { offset } = await bytes.getUpload(id).catch((error: unknown) => {
    throw error instanceof Error ? error : errors.uploads.notFound()
  })
  return offset
}

async function begin(ctx: MemberCtx, { id, size = 0, metadata }: Upload): Promise<void> {
  refuseUploader(ctx)
  const { name } = acceptName(ctx, metadata?.filename ?? '')
  acceptSize(ctx, size)
  const hash = metadata?.sha256 ?? ''
  if (hash && !/^[0-9a-f]{64}$/.test(hash)) throw errors.request.invalid('文件校验值不正确')
  if (hash) await refuseBanned(ctx, hash)
  const now = ctx.now()
  await transaction(ctx, async (ctx) => {
    await takeUploadQuota(ctx, size)
    await ctx.db
      .insertInto('upload')
      .values({
        id,
        user_id: ctx.viewer.id,
        name,
        size,
        hash,
        expires_at: now + expiresMs,
        created_at: now,
        updated_at: now,
      })
      .execute()
  })
}

/**
 * Makes an attachment of an upload all of whose bytes have come. May be cut short anywhere and done again: what was found
 * to be good is noted before it is moved.
 */
async function finish(ctx: MemberCtx, bytes: UploadBytes, id: string): Promise<number> {
  const upload = await getOwnUpload(ctx, id)
  if (upload.attachment_id) return upload.attachment_id
  const { name, size } = upload
  const ext = extOf(name)
  const path = await bytes.whole(id)
  try {
    const hash = upload.state === whole ? upload.hash : await hashOf(path)
    if (upload.state !== whole) {
      await accept(ctx, { path, hash, size, ext, declared: upload.hash })
      await markWhole(ctx, id, hash)
    }
    await keepContent(ctx, { path, hash, size })
    const attachmentId = await becomeAttachment(ctx, id, { hash, size, name, ext })
    await bytes.drop(id)
    return attachmentId
  } catch (error) {
    // What is refused will be refused again; what failed for other reasons may be tried again.
    if (error instanceof AppError && error.status < 500) {
      await bytes.drop(id)
      await ctx.db.deleteFrom('upload').where('id', '=', id).execute()
    }
    throw error
  } finally {
    if (path.endsWith('.whole')) await rm(path, { force: true })
  }
}

/** Another process may be doing the same: the row is held, and the second finds what the first has made. */
function becomeAttachment(
  ctx: MemberCtx,
  id: string,
  file: { hash: string; size: number; name: string; ext: string },
): Promise<number> {
  return transaction(ctx, async (ctx) => {
    const held = await ctx.db
      .updateTable('upload')
      .set({ updated_at: ctx.now() })
      .where('id', '=', id)
      .returning('attachment_id')
      .executeTakeFirst()
    if (!held) throw errors.uploads.notFound()
    if (held.attachment_id) return held.attachment_id
    const attachmentId = await addDocumentFile(ctx, file, file)
    await ctx.db.updateTable('upload').set({ attachment_id: attachmentId }).where('id', '=', id).execute()
    return attachmentId
  })
}

interface Whole {
  path: string
  hash: string
  size: number
  ext: string
  /** What the sender said the hash would be, if anything. */
  declared: string
}

async function accept(ctx: MemberCtx, { path, hash, size, ext, declared }: Whole): Promise<void> {
  if ((await stat(path)).size !== size || (declared && declared !== hash)) throw errors.uploads.hashMismatch()
  await refuseBanned(ctx, hash)
  await acceptContent(ctx, { path, size, ext })
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest('hex')
}

/** What tus refuses, in our words. */
function explain(ctx: Ctx, status: number, fault: unknown): unknown {
  if (fault instanceof AppError) return fault
  if (isDiskFull(fault)) return errors.uploads.diskFull()
  if (status === 404 || status === 410) return errors.uploads.notFound()
  if (status === 409) return errors.uploads.wrongOffset()
  if (status === 413) return errors.uploads.tooLarge(formatSize(documentLimit(ctx)))
  if (status < 500) return errors.request.invalid('上传请求不正确，请重新上传')
  return fault instanceof Error ? fault : new Error(`tus: ${status}`)
}
