import { expect, test } from 'vitest'
import {
  isBusy,
  isEditable,
  isPublished,
  nextState,
  type RowEvent,
  type RowState,
} from '#web/features/documents/upload/row-state.ts'

function through(from: RowState, ...events: RowEvent[]): RowState | undefined {
  return events.reduce<RowState | undefined>((state, event) => state && nextState(state, event), from)
}

test('a file is hashed, sent, published and converted', () => {
  expect(through('draft', 'start', 'hash', 'send', 'publish', 'published', 'finish')).toBe('done')
})

test('a file that the server has is published without being sent', () => {
  expect(through('draft', 'start', 'hash', 'publish', 'published')).toBe('converting')
})

test('a retry after failed publishing does not send the file again', () => {
  expect(through('publishing', 'fail', 'retry', 'publish', 'published')).toBe('converting')
})

test('failed and suspended files can be started again', () => {
  for (const state of ['waiting', 'hashing', 'sending', 'publishing'] as const) {
    expect(through(state, 'fail', 'start')).toBe('waiting')
    expect(through(state, 'suspend', 'start')).toBe('waiting')
  }
})

test('a published document cannot be started, suspended or failed', () => {
  for (const state of ['converting', 'done'] as const)
    for (const event of ['start', 'retry', 'fail', 'suspend', 'send'] as const)
      expect(nextState(state, event)).toBeUndefined()
})

test('files can be edited until they are published, and are busy while they are uploading', () => {
  const states: RowState[] = ['draft', 'waiting', 'hashing', 'sending', 'publishing', 'converting', 'done', 'failed']
  expect(states.filter(isEditable)).toEqual(['draft', 'waiting', 'hashing', 'sending', 'failed'])
  expect(states.filter(isBusy)).toEqual(['waiting', 'hashing', 'sending', 'publishing'])
  expect(states.filter(isPublished)).toEqual(['converting', 'done'])
})

test('what the member has published before waits for a decision, and keeps nobody on the page', () => {
  expect(nextState('publishing', 'repeat')).toBe('duplicate')
  expect(nextState('duplicate', 'again')).toBe('waiting')
  expect([isBusy('duplicate'), isPublished('duplicate')]).toEqual([false, false])
})
