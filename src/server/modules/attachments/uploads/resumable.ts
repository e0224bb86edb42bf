import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Server, type ServerOptions, type Upload } from '@tus/server'
import { attachmentHeader } from '#shared/contract/attachments.ts'
import { AppError, errors } from '#shared/errors.ts'
import { getExt } from '#shared/document-kinds.ts'
import { formatSize } from '#shared/format.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { withBodyTimeout } from '#server/http/server/body-timeout.ts'
import type { Storage } from '#server/storage/storage.ts'
import {
  validateContent,
  validateFileName,
  validateSize,
  documentLimit,
  assertCanUpload,
  consumeUploadQuota,
} from '../attachments.policy.ts'
import { isDiskFull, storeContent, explainDiskFull, assertNotBanned } from '../attachments.store.ts'
import { DiskUploadStore, PartUploadStore, type UploadStore } from './upload-bytes.ts'
import { addDocumentFile } from './documents.ts'
import { expiresMs, getOwnUpload, markComplete, postponeExpiry, uploadRows, complete } from './upload-rows.ts'

export interface Resumable {
  /** Handles a request of the tus protocol. */
  handle(ctx: MemberCtx, request: Request): Promise<Response>
  /** The id of the attachment that the upload has become. */
  result(ctx: MemberCtx, id: string): Promise<number>
  purge(ctx: Ctx): Promise<void>
}

interface UploadOptions {
  db: Db
  storage: Storage
  dataDir: string
  /** The storage is remote: all processes need access to unfinished uploads. */
  remote: boolean
}

/** Resumable uploads by the tus protocol. Their owners and states are in the database. */
export function resumableUploads(path: string, { db, storage, dataDir, remote }: UploadOptions): Resumable {
  const options = { rows: uploadRows(db), expiresMs }
  const store = remote
    ? new PartUploadStore(storage, join(dataDir, 'tmp'), options)
    : new DiskUploadStore(join(dataDir, 'uploads'), options)
  const contexts = new WeakMap<object, MemberCtx>()
  const faults = new WeakMap<object, unknown>()
  const finishing = new Map<string, Promise<number>>()

  const contextOf = (request: object): MemberCtx => {
    const ctx = contexts.get(request)
    if (!ctx) throw errors.access.loginNeeded()
    return ctx
  }

  /** The last request and the request for the result may be concurrent: they share one run. */
  const finishOnce = (ctx: MemberCtx, id: string): Promise<number> => {
    const attachmentId = finishing.get(id) ?? finish(ctx, store, id).finally(() => finishing.delete(id))
    finishing.set(id, attachmentId)
    return attachmentId
  }

  const hooks: Omit<ServerOptions, 'path' | 'locker'> = {
    relativeLocation: true,
    disableTerminationForFinishedUploads: true,
    maxSize: (request) => documentLimit(contextOf(request)),
    namingFunction: (request) => contextOf(request).id(),
    async onIncomingRequest(request, id) {
      if (request.method === 'POST') return
      const ctx = contextOf(request)
      if (request.method === 'PATCH') assertCanUpload(ctx)
      const { attachment_id, state } = await getOwnUpload(ctx, id)
      if (request.method !== 'HEAD' && (attachment_id || state === complete)) throw errors.uploads.wrongOffset()
      if (request.method === 'PATCH') await postponeExpiry(ctx, id)
    },
    async onUploadCreate(request, upload) {
      await addUpload(contextOf(request), upload)
      return {}
    },
    async onUploadFinish(request, { id }) {
      const attachmentId = await finishOnce(contextOf(request), id)
      // Clients that do not know it ask for the result.
      return { headers: { [attachmentHeader]: String(attachmentId) } }
    },
    onResponseError(request, error) {
      faults.set(request, error)
      return undefined
    },
  }
  const tus = new Server({ path, datastore: store, ...hooks })

  return {
    async handle(ctx, incoming) {
      const finished = await headOfFinished(ctx, incoming)
      if (finished) return finished
      const body = incoming.body && withBodyTimeout(incoming.body)
      const request = new Request(incoming.url, {
        method: incoming.method,
        headers: incoming.headers,
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
      assertCanUpload(ctx)
      try {
        const isComplete = state === complete || finishing.has(id) || (await findOffset(store, id)) >= size
        if (!isComplete) throw errors.uploads.unfinished()
        return await explainDiskFull(finishOnce(ctx, id))
      } catch (error) {
        // Another request may have taken its bytes meanwhile: the attachment is there, or will be.
        const finished = (await finishing.get(id)) ?? (await findAttachmentId(ctx, id))
        if (finished) return finished
        throw error
      }
    },

    async purge(ctx) {
      const old = await ctx.db.selectFrom('upload').select('id').where('expires_at', '<=', ctx.now()).execute()
      for (const { id } of old) {
        await store.drop(id)
        await ctx.db.deleteFrom('upload').where('id', '=', id).execute()
      }
      for await (const id of store.ids()) {
        const row = await ctx.db.selectFrom('upload').select('id').where('id', '=', id).executeTakeFirst()
        if (!row) await store.drop(id)
      }
    },
  }
}

/** The offset of a finished upload, for clients that missed the last response: tus no longer has its bytes. */
async function headOfFinished(ctx: MemberCtx, request: Request): Promise<Response | undefined> {
  if (request.method !== 'HEAD') return undefined
  const id = new URL(request.url).pathname.split('/').at(-1) ?? ''
  const { attachment_id, state, size } = await getOwnUpload(ctx, id)
  if (!attachment_id && state !== complete) return undefined
  return new Response(null, {
    headers: {
      'tus-resumable': '1.0.0',
      'cache-control': 'no-store',
      'upload-offset': String(size),
      'upload-length': String(size),
    },
  })
}

async function findOffset(store: UploadStore, id: string): Promise<number> {
  const { offset } = await store.getUpload(id).catch((error: unknown) => {
    throw error instanceof Error ? error : errors.uploads.notFound()
  })
  return offset
}

/** The document whose file is to be replaced, as a client names it; 0 for none. */
export function toDocumentId(text: string | null | undefined): number {
  const id = Number(text ?? 0)
  return Number.isSafeInteger(id) && id > 0 ? id : 0
}

async function addUpload(ctx: MemberCtx, { id, size = 0, metadata }: Upload): Promise<void> {
  assertCanUpload(ctx)
  const { name } = validateFileName(ctx, metadata?.filename ?? '')
  validateSize(ctx, size)
  const hash = metadata?.sha256 ?? ''
  if (hash && !/^[0-9a-f]{64}$/.test(hash)) throw errors.request.invalid('文件校验值不正确')
  if (hash) await assertNotBanned(ctx, hash)
  const now = ctx.now()
  await transaction(ctx, async (ctx) => {
    await consumeUploadQuota(ctx, size, toDocumentId(metadata?.document))
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
 * Turns a complete upload into an attachment. May be interrupted anywhere and repeated: the result of the validation is
 * recorded before the file is moved.
 */
async function finish(ctx: MemberCtx, bytes: UploadStore, id: string): Promise<number> {
  const upload = await getOwnUpload(ctx, id)
  if (upload.attachment_id) return upload.attachment_id
  const { name, size } = upload
  const ext = getExt(name)
  const path = await bytes.assemble(id)
  try {
    const hash = upload.state === complete ? upload.hash : await hashFile(path)
    if (upload.state !== complete) {
      await validateUpload(ctx, { path, hash, size, ext, declared: upload.hash })
      await markComplete(ctx, id, hash)
    }
    await storeContent(ctx, { path, hash, size })
    const attachmentId = await createAttachment(ctx, id, { hash, size, name, ext })
    await bytes.drop(id)
    return attachmentId
  } catch (error) {
    // A refused file would be refused again; other errors may be temporary.
    const isRefused = error instanceof AppError && error.status < 500
    if (isRefused && !(await findAttachmentId(ctx, id))) {
      await bytes.drop(id)
      await ctx.db.deleteFrom('upload').where('id', '=', id).execute()
    }
    throw error
  } finally {
    if (path.endsWith('.whole')) await rm(path, { force: true })
  }
}

async function findAttachmentId({ db }: MemberCtx, id: string): Promise<number | undefined> {
  const row = await db.selectFrom('upload').select('attachment_id').where('id', '=', id).executeTakeFirst()
  return row?.attachment_id || undefined
}

/** Locks the row: a concurrent process then finds the attachment. */
function createAttachment(
  ctx: MemberCtx,
  id: string,
  file: { hash: string; size: number; name: string; ext: string },
): Promise<number> {
  return transaction(ctx, async (ctx) => {
    const row = await ctx.db
      .updateTable('upload')
      .set({ updated_at: ctx.now() })
      .where('id', '=', id)
      .returning('attachment_id')
      .executeTakeFirst()
    if (!row) throw errors.uploads.notFound()
    if (row.attachment_id) return row.attachment_id
    const attachmentId = await addDocumentFile(ctx, file, file)
    await ctx.db.updateTable('upload').set({ attachment_id: attachmentId }).where('id', '=', id).execute()
    return attachmentId
  })
}

interface CompleteUpload {
  path: string
  hash: string
  size: number
  ext: string
  /** The hash as declared by the client, or empty. */
  declared: string
}

async function validateUpload(ctx: MemberCtx, { path, hash, size, ext, declared }: CompleteUpload): Promise<void> {
  if ((await stat(path)).size !== size || (declared && declared !== hash)) throw errors.uploads.hashMismatch()
  await assertNotBanned(ctx, hash)
  await validateContent(ctx, { path, size, ext })
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest('hex')
}

/** Errors of tus as errors of our API. */
function explain(ctx: Ctx, status: number, fault: unknown): unknown {
  if (fault instanceof AppError) return fault
  if (isDiskFull(fault)) return errors.uploads.diskFull()
  if (status === 404 || status === 410) return errors.uploads.notFound()
  if (status === 409) return errors.uploads.wrongOffset()
  if (status === 413) return errors.uploads.tooLarge(formatSize(documentLimit(ctx)))
  // 501: extensions of the protocol that we do not have, as a length that is told later.
  if (status < 500 || status === 501) return errors.request.invalid('上传请求不正确，请重新上传')
  return fault instanceof Error ? fault : new Error(`tus: ${status}`)
}
