import { unpreviewableReason } from '#shared/conversion.ts'
import { failedStatuses } from '#shared/document-status.ts'
import { Punishment } from '#shared/enums.ts'
import { documentExts, getExt } from '#shared/document-kinds.ts'
import { errors } from '#shared/errors.ts'
import { formatSize } from '#shared/format.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { Unconvertible } from '#server/convert/converter.ts'
import { consumeQuota, quotaUsed } from '#server/modules/access/quotas.ts'
import { assertNotPunished } from '#server/modules/access/access.policy.ts'
import { cleanFileName } from './file-names.ts'

const megabyte = 1024 * 1024

export function assertCanUpload(ctx: MemberCtx): void {
  assertNotPunished(ctx, Punishment.Disabled, Punishment.NoUpload)
  if (!ctx.viewer.groups.some(({ enable_upload }) => enable_upload)) throw errors.users.uploadDenied()
}

export function documentLimit({ settings }: Ctx): number {
  return settings.security.max_document_size * megabyte
}

/** Gives the cleaned name; throws for an extension that the site does not accept. */
export function validateFileName(ctx: Pick<Ctx, 'settings'>, fileName: string): { name: string; ext: string } {
  const name = cleanFileName(fileName)
  if (!name) throw errors.uploads.nameNeeded()
  const ext = getExt(name)
  assertAllowedExt(ctx, ext)
  return { name, ext }
}

export function assertAllowedExt({ settings }: Pick<Ctx, 'settings'>, ext: string): void {
  const allowed = settings.security.document_allowed_ext.map(toExt)
  const isAllowed = documentExts.includes(ext) && (allowed.length === 0 || allowed.includes(ext))
  if (!isAllowed) throw errors.uploads.extDenied(ext)
}

export function validateSize(ctx: Ctx, size: number): void {
  if (size === 0) throw errors.uploads.empty()
  const limit = documentLimit(ctx)
  if (size > limit) throw errors.uploads.tooLarge(formatSize(limit))
}

/**
 * Content and extension must match. A file that is damaged, encrypted or cannot be shown is accepted: the conversion reports
 * it to the owner, and readers can download it.
 */
export async function validateContent(ctx: Ctx, source: { path: string; ext: string; size: number }): Promise<void> {
  try {
    await ctx.converter.probe(source)
  } catch (error) {
    if (!(error instanceof Unconvertible)) throw error
    if (error.reason === 'empty') throw errors.uploads.empty()
    if (error.reason === 'mismatch') throw errors.uploads.mismatch()
  }
}

/** Before anything is sent: no member should wait for an upload that exceeds the quota. */
export async function assertUploadQuotaLeft(ctx: MemberCtx, replaced = 0): Promise<void> {
  if (await isForUnreadable(ctx, replaced)) {
    const quota = freeReplacements(replaced)
    if ((await quotaUsed(ctx, quota)) < quota.limit) return
  }
  for (const { exceeded, ...quota } of uploadQuotas(ctx))
    if (quota.limit && (await quotaUsed(ctx, quota)) >= quota.limit) throw exceeded()
}

/** What is left of the daily limits: files and bytes; -1 for any number. */
export async function uploadQuotaLeft(ctx: MemberCtx): Promise<{ files: number; bytes: number }> {
  const [files = -1, bytes = -1] = await Promise.all(
    uploadQuotas(ctx).map(async ({ exceeded: _exceeded, ...quota }) =>
      quota.limit ? Math.max(0, quota.limit - (await quotaUsed(ctx, quota))) : -1,
    ),
  )
  return { files, bytes }
}

/** Call it in the transaction that records the upload: if that fails, nothing is consumed. */
export async function consumeUploadQuota(ctx: MemberCtx, bytes: number, replaced = 0): Promise<void> {
  if ((await isForUnreadable(ctx, replaced)) && (await consumeQuota(ctx, freeReplacements(replaced)))) return
  for (const { exceeded, ...quota } of uploadQuotas(ctx, bytes))
    if (quota.limit && !(await consumeQuota(ctx, quota))) throw exceeded()
}

/** The number of files that may take the place of one that cannot be converted, each day, beside the member's quota. */
const maxFreeReplacements = 10

function freeReplacements(documentId: number) {
  return { quota: 'upload.replacement', subject: documentId, limit: maxFreeReplacements }
}

/** Whether the file is for a document of the member's that no reader can open: its own file could not be converted. */
async function isForUnreadable({ db, viewer }: MemberCtx, documentId: number): Promise<boolean> {
  if (documentId === 0) return false
  const unreadable = await db
    .selectFrom('document')
    .innerJoin('rendition', 'rendition.hash', 'document.hash')
    .select('document.id')
    .where('document.id', '=', documentId)
    .where('document.user_id', '=', viewer.id)
    .where('document.status', 'in', [...failedStatuses])
    .where('document.pages', '=', 0)
    .where('document.deleted_at', 'is', null)
    .where('rendition.reason', '<>', unpreviewableReason)
    .executeTakeFirst()
  return unreadable !== undefined
}

/** A limit of 0 means none. */
function uploadQuotas({ settings, viewer }: MemberCtx, bytes = 0) {
  const { upload_count_every_day: count, upload_size_every_day: megabytes } = settings.security
  const size = megabytes * megabyte
  const subject = viewer.id
  return [
    { quota: 'upload.count', subject, limit: count, amount: 1, exceeded: () => errors.uploads.quotaCount(count) },
    {
      quota: 'upload.size',
      subject,
      limit: size,
      amount: bytes,
      exceeded: () => errors.uploads.quotaSize(formatSize(size)),
    },
  ]
}

/** The setting may contain `pdf`, `.PDF` or `*.pdf`. */
function toExt(ext: string): string {
  return `.${ext
    .trim()
    .toLowerCase()
    .replace(/^\*?\./, '')}`
}
