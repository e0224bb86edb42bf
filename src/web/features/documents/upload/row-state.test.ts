import { expect, test } from 'vitest'
import { isBusy, isEditable, isPublished, nextState, type RowEvent, type RowState } from './row-state.ts'

function through(from: RowState, ...events: RowEvent[]): RowState | undefined {
  return events.reduce<RowState | undefined>((state, event) => state && nextState(state, event), from)
}

test('a file is checked, sent, published and converted', () => {
  expect(through('draft', 'begin', 'hash', 'send', 'publish', 'published', 'finish')).toBe('done')
})

test('a file the server has already is published without being sent', () => {
  expect(through('draft', 'begin', 'hash', 'publish', 'published')).toBe('converting')
})

test('an uploaded file whose publishing failed is only published again', () => {
  expect(through('publishing', 'fail', 'retry', 'publish', 'published')).toBe('converting')
})

test('what failed, or was parked when the session ended, can be begun again', () => {
  for (const state of ['waiting', 'hashing', 'sending', 'publishing'] as const) {
    expect(through(state, 'fail', 'begin')).toBe('waiting')
    expect(through(state, 'park', 'begin')).toBe('waiting')
  }
})

test('a published document is never begun, parked or failed again', () => {
  for (const state of ['converting', 'done'] as const)
    for (const event of ['begin', 'retry', 'fail', 'park', 'send'] as const)
      expect(nextState(state, event)).toBeUndefined()
})

test('its title can be changed until it is published, and leaving loses only what is under way', () => {
  const states: RowState[] = ['draft', 'waiting', 'hashing', 'sending', 'publishing', 'converting', 'done', 'failed']
  expect(states.filter(isEditable)).toEqual(['draft', 'waiting', 'hashing', 'sending', 'failed'])
  expect(states.filter(isBusy)).toEqual(['waiting', 'hashing', 'sending', 'publishing'])
  expect(states.filter(isPublished)).toEqual(['converting', 'done'])
})
