/** The state machine of an upload: the next state for each state and event. */

export type RowState =
  | 'draft'
  | 'waiting'
  | 'hashing'
  | 'sending'
  | 'publishing'
  | 'duplicate'
  | 'converting'
  | 'done'
  | 'failed'

export type RowEvent =
  | 'start'
  | 'hash'
  | 'send'
  | 'publish'
  | 'published'
  | 'repeat'
  | 'again'
  | 'finish'
  | 'replaced'
  | 'fail'
  | 'retry'
  | 'suspend'

/** Suspended rows wait for the member to start them again after the session has expired. */
const transitions: Record<RowState, Partial<Record<RowEvent, RowState>>> = {
  draft: { start: 'waiting' },
  waiting: { hash: 'hashing', publish: 'publishing', fail: 'failed', suspend: 'draft' },
  hashing: { send: 'sending', publish: 'publishing', fail: 'failed', suspend: 'draft' },
  sending: { publish: 'publishing', fail: 'failed', suspend: 'draft' },
  // The server may have lost the file: then it is sent again.
  publishing: { published: 'converting', repeat: 'duplicate', hash: 'hashing', fail: 'failed', suspend: 'draft' },
  // The member has published it before, and decides.
  duplicate: { again: 'waiting' },
  converting: { finish: 'done' },
  done: { replaced: 'converting' },
  failed: { retry: 'waiting', start: 'waiting' },
}

/** Undefined if the state has no transition for the event. */
export function nextState(from: RowState, event: RowEvent): RowState | undefined {
  return transitions[from][event]
}

/** Leaving the page would interrupt the upload. */
export function isBusy(state: RowState): boolean {
  return state === 'waiting' || state === 'hashing' || state === 'sending' || state === 'publishing'
}

export function isEditable(state: RowState): boolean {
  return state !== 'publishing' && !isPublished(state)
}

export function isPublished(state: RowState): boolean {
  return state === 'converting' || state === 'done'
}
