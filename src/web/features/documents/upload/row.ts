import type { Progress } from '#shared/contract/documents.ts'
import { isUnpreviewable } from '#shared/conversion.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import type { RowState } from '#web/features/documents/upload/row-state.ts'
import type { Audience } from '#web/features/documents/visibility/audience.ts'
import type { ServerState } from '#web/features/documents/upload/transfer/unfinished-uploads.ts'

/** The editable fields of a document before it is published. */
export interface DocumentFields {
  title: string
  keywords: string
  description: string
  /** Undefined while the default applies. */
  language: string | undefined
  price: string | undefined
  ownCategory: readonly number[] | undefined
}

/** A file in the list. */
export interface UploadItem extends DocumentFields {
  id: number
  file: File
  ext: string
  state: RowState
  titleSource: 'file-name' | 'metadata' | 'member'
  /** Its own, else taken from the defaults when the upload starts. */
  category: readonly number[]
  /** The member to whom the document will belong, if another one uploads it; 0 for the uploader. */
  owner: number
  audience: Audience
  /** Bytes hashed, and bytes sent. */
  read: number
  sent: number
  /** Bytes a second. */
  speed: number
  isReconnecting: boolean
  /** The server had the file already. */
  isInstant: boolean
  error: string
  /** What the server has of the file. */
  server: ServerState
  /** What it has from an earlier visit, if this is still the same file. */
  unfinished: ServerState | undefined
  /** The document that the member has published with the same content, and whether this one shall be published too. */
  duplicate: { uuid: string; title: string } | undefined
  isAgain: boolean
  /** The document was deleted while it was converted. */
  isDeleted: boolean
  document: (Pick<Progress, 'id' | 'uuid' | 'status'> & Partial<Progress>) | undefined
}

/** The settings for all files without their own. */
export interface UploadDefaults {
  category: readonly number[]
  /** The member for whom staff upload; the id is 0 until the name is found. */
  owner: { name: string; id: number }
  language: string
  price: string
  audience: Audience
  hasDetails: boolean
}

export const emptyServerState: ServerState = { hash: '', url: '', attachment: 0 }

const maxPrice = 1_000_000

export function parsePrice(typed: string): number {
  const value = Math.floor(Number(typed))
  return Number.isFinite(value) ? Math.min(Math.max(value, 0), maxPrice) : 0
}

interface Counts {
  total: number
  startable: number
  busy: number
  /** Taken by the server: the sum of the five that follow. */
  submitted: number
  published: number
  converting: number
  inReview: number
  /** Published, but they cannot be shown. */
  unreadable: number
  /** Rejected, disabled or deleted since. */
  withdrawn: number
  /** Published before: the member decides. */
  duplicate: number
  failed: number
  bytes: number
  /** Of the started files: bytes sent, and all bytes. */
  sentBytes: number
  startedBytes: number
}

export function countRows(rows: readonly UploadItem[]): Counts {
  const count = (...states: RowState[]) => rows.filter(({ state }) => states.includes(state)).length
  const started = rows.filter(({ state }) => state !== 'draft')
  const outcomes = rows.filter(({ state }) => state === 'done').map(outcomeOf)
  const countOutcomes = (outcome: Outcome) => outcomes.filter((other) => other === outcome).length
  const sum = (items: readonly UploadItem[], bytes: (row: UploadItem) => number) =>
    items.reduce((total, row) => total + bytes(row), 0)
  return {
    total: rows.length,
    startable: rows.filter(isStartable).length,
    busy: count('waiting', 'hashing', 'sending', 'publishing'),
    submitted: count('converting', 'done'),
    published: countOutcomes('published'),
    converting: count('converting'),
    inReview: countOutcomes('in-review'),
    unreadable: countOutcomes('unreadable'),
    withdrawn: countOutcomes('withdrawn'),
    duplicate: count('duplicate'),
    failed: count('failed'),
    bytes: sum(rows, ({ file }) => file.size),
    sentBytes: sum(started, sentOf),
    startedBytes: sum(started, ({ file }) => file.size),
  }
}

/** Waits for the member to start it. */
export function isStartable({ state }: Pick<UploadItem, 'state'>): boolean {
  return state === 'draft' || state === 'failed'
}

/** Its document is there, and its file cannot be converted. */
export function hasFailed(row: Pick<UploadItem, 'state' | 'document' | 'isDeleted'>): boolean {
  return row.state === 'done' && outcomeOf(row) === 'unreadable'
}

type Outcome = 'published' | 'in-review' | 'unreadable' | 'withdrawn'

/** What has become of a document, by the server's last word on it. */
function outcomeOf({ document, isDeleted }: Pick<UploadItem, 'document' | 'isDeleted'>): Outcome {
  const { status = DocumentStatus.Converted, convert_error = '' } = document ?? {}
  if (isDeleted) return 'withdrawn'
  if (status === DocumentStatus.Converted || isUnpreviewable({ status, convert_error })) return 'published'
  if (status === DocumentStatus.InReview) return 'in-review'
  return status === DocumentStatus.Failed ? 'unreadable' : 'withdrawn'
}

function sentOf({ state, sent, file }: UploadItem): number {
  return ['publishing', 'converting', 'done', 'failed'].includes(state) ? file.size : sent
}
