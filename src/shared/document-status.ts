import { type CodeOf, declareCodes } from './codes.ts'

/** The state machine of a document: which event leads from which state to which. */

export const [DocumentStatus, documentStatusLabels] = declareCodes({
  Pending: [0, '等待转换'],
  Converting: [1, '转换中'],
  Converted: [2, '已转换'],
  Failed: [3, '转换失败'],
  Disabled: [4, '已禁用'],
  PendingReconversion: [5, '等待重新转换'],
  InReview: [6, '等待审核'],
  Rejected: [7, '审核未通过'],
  /** Its file cannot be converted, and it has never been approved: `Failed` on the wire. */
  FailedInReview: [8, '转换失败'],
})
export type DocumentStatus = CodeOf<typeof DocumentStatus>

export type DocumentEvent =
  | 'start'
  | 'succeed'
  | 'fail'
  | 'interrupt'
  | 'reconvert'
  | 'review'
  | 'approve'
  | 'reject'
  | 'disable'
  | 'enable'

/** `ready` is for a document that has pages already and needs no conversion. */
type Next = DocumentStatus | { ready: DocumentStatus; waiting: DocumentStatus }

const { Pending, Converting, Converted, Failed, Disabled, PendingReconversion, InReview, Rejected, FailedInReview } =
  DocumentStatus

const visibleAgain: Next = { ready: Converted, waiting: Pending }
const byStaff = { review: InReview, reject: Rejected, disable: Disabled } as const
const byConversion = { start: Converting, succeed: Converted, fail: Failed } as const

const transitions: Record<DocumentStatus, Partial<Record<DocumentEvent, Next>>> = {
  [Pending]: { ...byConversion, ...byStaff, approve: visibleAgain, reconvert: Pending },
  [Converting]: { succeed: Converted, fail: Failed, interrupt: Pending, ...byStaff },
  [Converted]: { reconvert: PendingReconversion, ...byStaff },
  [Failed]: { reconvert: Pending, succeed: Converted, ...byStaff, approve: visibleAgain },
  [Disabled]: { enable: visibleAgain, review: InReview, reject: Rejected },
  [PendingReconversion]: { ...byConversion, ...byStaff, reconvert: PendingReconversion },
  [InReview]: {
    approve: visibleAgain,
    reject: Rejected,
    disable: Disabled,
    fail: FailedInReview,
  },
  [FailedInReview]: { reconvert: InReview, succeed: InReview, review: InReview, reject: Rejected, disable: Disabled },
  [Rejected]: { approve: visibleAgain, review: InReview, disable: Disabled },
}

/** Undefined when the state has no such transition. */
export function nextStatus(from: number, event: DocumentEvent, ready = false): DocumentStatus | undefined {
  const next = transitions[from as DocumentStatus]?.[event]
  if (typeof next !== 'object') return next
  return ready ? next.ready : next.waiting
}

/** The event by which staff set a status; the others are set by the converter alone. */
export const eventToward: Partial<Record<number, DocumentEvent>> = {
  [Pending]: 'approve',
  [Converted]: 'enable',
  [Disabled]: 'disable',
  [PendingReconversion]: 'reconvert',
  [InReview]: 'review',
  [Rejected]: 'reject',
}

/** Whether a conversion is waiting or running. */
export function isConverting({ status }: { status: number }): boolean {
  return (convertingStatuses as readonly number[]).includes(status)
}

export const convertingStatuses: readonly DocumentStatus[] = [Pending, Converting, PendingReconversion]

/** The statuses of a file that cannot be converted. */
export const failedStatuses: readonly DocumentStatus[] = [Failed, FailedInReview]

/** Clients know one status of what could not be converted; others than its owner and the staff do not see the second. */
export function toWireStatus(status: DocumentStatus): DocumentStatus {
  return status === FailedInReview ? Failed : status
}

const { [FailedInReview]: _stored, ...clientStatuses } = documentStatusLabels
/** The statuses that clients see. */
export const wireStatusLabels = clientStatuses

/** The stored statuses that the statuses named by a client stand for. */
export function fromWireStatuses(statuses: readonly DocumentStatus[]): DocumentStatus[] {
  return statuses.includes(Failed) ? [...statuses, FailedInReview] : [...statuses]
}

/** Whether its pages are still to come. A file is converted while its document waits for the review, too. */
export function awaitsPages({ status, pages = 0, convert_error = '' }: AwaitedDocument): boolean {
  return isConverting({ status }) || (status === InReview && pages === 0 && convert_error === '')
}

interface AwaitedDocument {
  status: number
  pages?: number
  convert_error?: string
}

/** Only reviewers may download these. */
export const reviewableStatuses: readonly DocumentStatus[] = [Disabled, InReview, Rejected, FailedInReview]

/** Visible to everyone; documents with another status are for their owner and the staff. */
export const publicStatuses: readonly DocumentStatus[] = [Pending, Converting, Converted, Failed, PendingReconversion]

/** Readers have seen a published one: it is disabled, not turned down, but for one that cannot be converted. */
export function whyUnrejectable({ status }: { status: DocumentStatus }): string | undefined {
  const isPublished = publicStatuses.includes(status) && !failedStatuses.includes(status)
  return isPublished ? '已经公开，请用“禁用”' : undefined
}

/** Why the file of a document with this status cannot be replaced; undefined if it can. */
export function whyUnreplaceable({ status }: { status: number }): string | undefined {
  return unreplaceableReasons[status]
}

const unreplaceableReasons: Partial<Record<number, string>> = {
  // A reviewer may have read the file that is there, and approves the document.
  [InReview]: '文档正在审核，请等审核结束后再替换文件；不想等，可以删除文档后重新上传',
  [Disabled]: '文档已被禁用，不能替换文件；请先联系管理员',
}
