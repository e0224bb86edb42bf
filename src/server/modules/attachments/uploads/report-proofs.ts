import { createHash } from 'node:crypto'
import { AttachmentType, Punishment } from '#shared/enums.ts'
import { AppError, errors } from '#shared/errors.ts'
import { formatSize } from '#shared/format.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { type ReceivedFile, withReceivedFile } from '#server/http/api/multipart.ts'
import { assertNotPunished } from '#server/modules/access/access.policy.ts'
import { consumeQuota, quotaUsed } from '#server/modules/access/quotas.ts'
import { validateContent } from '../attachments.policy.ts'
import {
  addAttachment,
  assertNotBanned,
  explainDiskFull,
  type LocalFile,
  storeContent,
  uploaderOf,
} from '../attachments.store.ts'
import { cleanFileName } from '../file-names.ts'
import { encodePicture, firstBytes } from '../pictures/encode.ts'
import { withTemporary } from '../pictures/receive.ts'

const megabyte = 1024 * 1024
const maxSize = 10 * megabyte
const maxSide = 4096
/** Of a member and a day. */
const maxFiles = 20
const maxBytes = 100 * megabyte

/** A picture, re-encoded, or a PDF that is to prove a report. It has no address: only staff who handle reports get it. */
export async function receiveReportProof(ctx: MemberCtx, request: Request, folder: string): Promise<number> {
  assertNotPunished(ctx, Punishment.Disabled)
  for (const { exceeded, ...quota } of proofQuotas(ctx))
    if ((await quotaUsed(ctx, quota)) >= quota.limit) throw exceeded()
  const received = withReceivedFile(request, { folder, limit: maxSize }, async (file) => {
    const store = (await isPdf(file.path)) ? storePdf : storePicture
    return store(ctx, file, folder)
  })
  return explainDiskFull(received)
}

async function isPdf(path: string): Promise<boolean> {
  return (await firstBytes(path)).toString('latin1').startsWith('%PDF-')
}

async function storePdf(ctx: MemberCtx, file: ReceivedFile): Promise<number> {
  await validateContent(ctx, { path: file.path, size: file.size, ext: '.pdf' })
  return storeProof(ctx, file, toName(file, '.pdf'))
}

async function storePicture(ctx: MemberCtx, file: ReceivedFile, folder: string): Promise<number> {
  const { bytes, ext } = await encodePicture(file.path, { side: maxSide }).catch(explainKind)
  const hash = createHash('sha256').update(bytes).digest('hex')
  return withTemporary(folder, bytes, (path) => storeProof(ctx, { hash, size: bytes.length, path }, toName(file, ext)))
}

async function storeProof(ctx: MemberCtx, file: LocalFile, named: { name: string; ext: string }): Promise<number> {
  const { hash, size } = file
  await assertNotBanned(ctx, hash)
  await storeContent(ctx, file)
  return transaction(ctx, async (ctx) => {
    for (const { exceeded, ...quota } of proofQuotas(ctx, size)) if (!(await consumeQuota(ctx, quota))) throw exceeded()
    return addAttachment(ctx, { hash, size, ...named, ...uploaderOf(ctx), type: AttachmentType.ReportProof })
  })
}

/** The extension is that of the content. */
function toName({ name }: ReceivedFile, ext: string): { name: string; ext: string } {
  const clean = cleanFileName(name).replace(/\.[a-z0-9]{1,10}$/i, '')
  return { name: `${clean || '证明'}${ext}`, ext }
}

function explainKind(error: unknown): never {
  const isOther = error instanceof AppError && error.reason === errors.uploads.notImage().reason
  throw isOther ? errors.uploads.notProof() : error
}

function proofQuotas({ viewer }: MemberCtx, bytes = 0) {
  const subject = viewer.id
  return [
    {
      quota: 'report.files',
      subject,
      limit: maxFiles,
      amount: 1,
      exceeded: () => errors.uploads.quotaCount(maxFiles),
    },
    {
      quota: 'report.bytes',
      subject,
      limit: maxBytes,
      amount: bytes,
      exceeded: () => errors.uploads.quotaSize(formatSize(maxBytes)),
    },
  ]
}
