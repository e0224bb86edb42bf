/** The life of a document as a table: which event leads where from each state. */

export const documentStatus = {
  0: '等待转换',
  1: '转换中',
  2: '已转换',
  3: '转换失败',
  4: '已禁用',
  5: '等待重新转换',
  6: '等待审核',
  7: '审核未通过',
} as const
export type DocumentStatus = keyof typeof documentStatus

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

/** Where `ready` is true the document has pages already, so that it need not wait for a conversion. */
type Next = DocumentStatus | { ready: DocumentStatus; waiting: DocumentStatus }

const again: Next = { ready: 2, waiting: 0 }

const transitions: Record<DocumentStatus, Partial<Record<DocumentEvent, Next>>> = {
  0: { start: 1, succeed: 2, fail: 3, review: 6, reject: 7, disable: 4, approve: again, reconvert: 0 },
  1: { succeed: 2, fail: 3, interrupt: 0, review: 6, reject: 7, disable: 4 },
  2: { reconvert: 5, review: 6, reject: 7, disable: 4 },
  3: { reconvert: 0, review: 6, reject: 7, disable: 4, approve: again, succeed: 2 },
  4: { enable: again, review: 6, reject: 7 },
  5: { start: 1, succeed: 2, fail: 3, review: 6, reject: 7, disable: 4, reconvert: 5 },
  6: { approve: again, reject: 7, disable: 4 },
  7: { approve: again, review: 6, disable: 4 },
}

/** Undefined when the event means nothing in that state. */
export function nextStatus(from: number, event: DocumentEvent, ready = false): DocumentStatus | undefined {
  const next = transitions[from as DocumentStatus]?.[event]
  if (typeof next !== 'object') return next
  return ready ? next.ready : next.waiting
}

/** What an administrator's wish for a status means. */
export const checkEvents: Partial<Record<number, DocumentEvent>> = {
  0: 'approve',
  2: 'enable',
  4: 'disable',
  5: 'reconvert',
  6: 'review',
  7: 'reject',
}

/** Its pages are still to come. */
export function isUnderway({ status }: { status: number }): boolean {
  return (underwayStatuses as readonly number[]).includes(status)
}

export const underwayStatuses: readonly DocumentStatus[] = [0, 1, 5]

/** States in which everybody may know of a document; the others are for its owner and the staff. */
export const publicStatuses: readonly DocumentStatus[] = [0, 1, 2, 3, 5]
