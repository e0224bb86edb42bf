import { documentExts, extOf } from '#shared/document-kinds.ts'
import { errors } from '#shared/errors.ts'
import { formatSize } from '#shared/format.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { Unconvertible } from '#server/convert/converter.ts'
import { takeDaily, usedToday } from '#server/modules/access/quotas.ts'
import { refusePunished } from '../access/access.policy.ts'
import { cleanFileName } from './file-names.ts'

const megabyte = 1024 * 1024

export function refuseUploader(ctx: MemberCtx): void {
  refusePunished(ctx, 1, 3)
  if (!ctx.viewer.groups.some(({ enable_upload }) => enable_upload)) throw errors.users.uploadDenied()
}

export function documentLimit({ settings }: Ctx): number {
  return settings.security.max_document_size * megabyte
}

/** What a document will be called; refuses kinds that the site does not take. */
export function acceptName({ settings }: Ctx, given: string): { name: string; ext: string } {
  const name = cleanFileName(given)
  if (!name) throw errors.uploads.nameNeeded()
  const ext = extOf(name)
  const allowed = settings.security.document_allowed_ext.map(dotted)
  const isTaken = documentExts.includes(ext) && (allowed.length === 0 || allowed.includes(ext))
  if (!isTaken) throw errors.uploads.extDenied(ext)
  return { name, ext }
}

export function acceptSize(ctx: Ctx, size: number): void {
  if (size === 0) throw errors.uploads.empty()
  const limit = documentLimit(ctx)
  if (size > limit) throw errors.uploads.tooLarge(formatSize(limit))
}

/**
 * Content and extension must agree. What is damaged, locked or of a kind that cannot be shown is taken all the same: its
 * owner is told at the conversion, and people can download it.
 */
export async function acceptContent(ctx: Ctx, source: { path: string; ext: string; size: number }): Promise<void> {
  try {
    await ctx.converter.probe(source)
  } catch (error) {
    if (!(error instanceof Unconvertible)) throw error
    if (error.reason === 'empty') throw errors.uploads.empty()
    if (error.reason === 'mismatch') throw errors.uploads.mismatch()
  }
}

/** Before anything is sent: nobody should wait for an upload that cannot count any more. */
export async function refuseUsedUp(ctx: MemberCtx): Promise<void> {
  const { count, size } = quotas(ctx)
  if (count.limit && (await usedToday(ctx, count.kind, ctx.viewer.id)) >= count.limit) throw count.refusal()
  if (size.limit && (await usedToday(ctx, size.kind, ctx.viewer.id)) >= size.limit) throw size.refusal()
}

/** Belongs into the transaction that records the upload: if that fails, nothing has been used. */
export async function takeUploadQuota(ctx: MemberCtx, bytes: number): Promise<void> {
  const who = ctx.viewer.id
  const { count, size } = quotas(ctx)
  if (count.limit && !(await takeDaily(ctx, { kind: count.kind, who, limit: count.limit }))) throw count.refusal()
  if (size.limit && !(await takeDaily(ctx, { kind: size.kind, who, limit: size.limit, amount: bytes }))) {
    throw size.refusal()
  }
}

function quotas({ settings }: Ctx) {
  const { upload_count_every_day: count, upload_size_every_day: megabytes } = settings.security
  const bytes = megabytes * megabyte
  return {
    count: { kind: 'upload.count', limit: count, refusal: () => errors.uploads.quotaCount(count) },
    size: { kind: 'upload.size', limit: bytes, refusal: () => errors.uploads.quotaSize(formatSize(bytes)) },
  }
}

/** Owners write `pdf`, `.PDF` and `*.pdf` alike. */
function dotted(ext: string): string {
  return `.${ext
    .trim()
    .toLowerCase()
    .replace(/^\*?\./, '')}`
}
