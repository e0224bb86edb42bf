import { AppError } from '#shared/errors.ts'
import { noAnswer, type SpiderFailure } from '#shared/spider.ts'
import { ExtractError } from '../extract/extract-error.ts'

/** Why something could not be read, downloaded or published. */
export interface Failure {
  reason: SpiderFailure
  status: number
  detail: string
  /** Another attempt may succeed. */
  isTemporary: boolean
  retryAt?: number | undefined
}

const maxTries = 4
const firstBackOffMs = 60_000

/** When the next attempt is made, `tries` having failed before this one; undefined when there is none. */
export function nextTryAt({ isTemporary, retryAt }: Failure, tries: number, now: number): number | undefined {
  if (!isTemporary || tries + 1 >= maxTries) return undefined
  return Math.max(retryAt ?? 0, now + firstBackOffMs * 4 ** tries)
}

/** The host is not to be asked yet: nothing was sent, and nothing has failed. */
export function isUnsent({ reason, retryAt }: Failure): boolean {
  return reason === 'waiting' && retryAt !== undefined
}

/** Undefined for what is a fault of this program. */
export function toFailure(error: unknown): Failure | undefined {
  if (error instanceof ExtractError) return failure(error.reason, '')
  if (!(error instanceof AppError)) return undefined
  const reason = appReasons[error.reason]
  return reason && failure(reason, error.message)
}

/** What is a fault of this program, in words. */
export function internalFailure(error: unknown): Failure {
  return { ...failure('internal', error instanceof Error ? error.message : String(error)), isTemporary: true }
}

function failure(reason: SpiderFailure, detail: string): Failure {
  return { reason, status: noAnswer, detail, isTemporary: reason === 'disk_full' }
}

/** By the reasons of declared errors. */
const appReasons: Record<string, SpiderFailure> = {
  'uploads.empty': 'empty',
  'uploads.tooLarge': 'too_large',
  'uploads.nameNeeded': 'ext_denied',
  'uploads.extDenied': 'ext_denied',
  'uploads.mismatch': 'mismatch',
  'uploads.banned': 'banned',
  'uploads.diskFull': 'disk_full',
  'users.ownerGone': 'owner_missing',
  'documents.categoryNeeded': 'category_missing',
  'documents.categoryUnknown': 'category_missing',
  'articles.categoryNeeded': 'category_missing',
  'articles.categoryUnknown': 'category_missing',
  'articles.contentNeeded': 'empty_article',
  'articles.tooLarge': 'too_large',
  'documents.crawledFileGone': 'file_missing',
  'documents.filesUnusable': 'file_missing',
}
