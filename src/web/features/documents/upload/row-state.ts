/** The life of a file on its way to becoming a document, as a table: which event leads where from each state. */

export type RowState = 'draft' | 'waiting' | 'hashing' | 'sending' | 'publishing' | 'converting' | 'done' | 'failed'

export type RowEvent = 'begin' | 'hash' | 'send' | 'publish' | 'published' | 'finish' | 'fail' | 'retry' | 'park'

/** Parked rows wait for somebody to begin them again, as when a session has ended. */
const transitions: Record<RowState, Partial<Record<RowEvent, RowState>>> = {
  draft: { begin: 'waiting' },
  waiting: { hash: 'hashing', publish: 'publishing', fail: 'failed', park: 'draft' },
  hashing: { send: 'sending', publish: 'publishing', fail: 'failed', park: 'draft' },
  sending: { publish: 'publishing', fail: 'failed', park: 'draft' },
  // The server may have lost the file by now: then it is sent after all.
  publishing: { published: 'converting', hash: 'hashing', fail: 'failed', park: 'draft' },
  converting: { finish: 'done' },
  done: {},
  failed: { retry: 'waiting', begin: 'waiting' },
}

/** Undefined when the event means nothing in that state. */
export function nextState(from: RowState, event: RowEvent): RowState | undefined {
  return transitions[from][event]
}

/** Something would be lost if the page went away now. */
export function isBusy(state: RowState): boolean {
  return state === 'waiting' || state === 'hashing' || state === 'sending' || state === 'publishing'
}

/** What is said about the document may still be changed. */
export function isEditable(state: RowState): boolean {
  return state !== 'publishing' && !isPublished(state)
}

export function isPublished(state: RowState): boolean {
  return state === 'converting' || state === 'done'
}
