import { expect, test } from 'vitest'
import { eventToward, type DocumentEvent, documentStatusLabels, isConverting, nextStatus } from './document-status.ts'

const states = Object.keys(documentStatusLabels).map(Number)

test('a new document is converted, and says so when that fails', () => {
  expect(nextStatus(0, 'start')).toBe(1)
  expect(nextStatus(1, 'succeed')).toBe(2)
  expect(nextStatus(1, 'fail')).toBe(3)
  expect(nextStatus(3, 'reconvert')).toBe(0)
})

test('what is approved or enabled again is shown at once if it has pages, and else waits for them', () => {
  for (const from of [6, 7]) {
    expect(nextStatus(from, 'approve', true)).toBe(2)
    expect(nextStatus(from, 'approve', false)).toBe(0)
  }
  expect(nextStatus(4, 'enable', true)).toBe(2)
  expect(nextStatus(4, 'enable', false)).toBe(0)
})

test('a conversion that ends never brings back what was rejected, disabled or waits for review', () => {
  for (const from of [4, 6, 7]) {
    for (const event of ['start', 'succeed', 'fail', 'interrupt', 'reconvert'] as const) {
      expect(nextStatus(from, event), `${from} ${event}`).toBeUndefined()
    }
  }
})

test('everything but what is disabled already can be disabled', () => {
  expect(states.filter((from) => nextStatus(from, 'disable') === undefined)).toEqual([4])
})

test('every event leads somewhere from some state, and only to states there are', () => {
  const events = [
    'start',
    'succeed',
    'fail',
    'interrupt',
    'reconvert',
    'review',
    'approve',
    'reject',
    'disable',
    'enable',
  ]
  for (const event of events as DocumentEvent[]) {
    const targets = states.flatMap((from) => nextStatus(from, event) ?? [])
    expect(targets.length, event).toBeGreaterThan(0)
    for (const to of targets) expect(states).toContain(to)
  }
  expect(new Set(Object.values(eventToward)).size).toBe(Object.keys(eventToward).length)
})

test('a document is under way until it is converted or has failed', () => {
  expect(Object.keys(documentStatusLabels).filter((status) => isConverting({ status: Number(status) }))).toEqual([
    '0',
    '1',
    '5',
  ])
})
