import { expect, test } from 'vitest'
import {
  countDecided,
  countUndecided,
  currentId,
  decide,
  extend,
  move,
  reopen,
  returnToSkipped,
  startDesk,
  submittedAt,
} from '#web/admin/review/desk-state.ts'

const start = startDesk({ total: 5, id: [11, 12, 13] })

test('an old document that its author has changed today has waited since today', () => {
  const [old, today] = [Date.UTC(2024, 0, 2), Date.UTC(2026, 0, 2)]
  expect(submittedAt({ created_at: old, updated_at: today })).toBe(today)
  expect(submittedAt({ created_at: old, updated_at: null })).toBe(old)
  expect(submittedAt({ created_at: null, updated_at: null })).toBeNull()
})

test('a decision goes on to the next item, and the last one to the end', () => {
  const second = decide(start, 11, 'approve')
  expect(currentId(second)).toBe(12)
  const end = decide(decide(second, 12, 'reject'), 13, 'approve')
  expect(currentId(end)).toBeUndefined()
  expect(countDecided(end)).toBe(3)
  expect(countUndecided(end)).toBe(2)
})

test('going back shows decided items; a new decision there skips them', () => {
  const third = decide(decide(start, 11, 'approve'), 12, 'approve')
  const first = reopen(third, 11)
  expect(currentId(first)).toBe(11)
  expect(currentId(move(first, 1))).toBe(12)
  expect(currentId(decide(first, 11, 'reject'))).toBe(13)
})

test('one cannot leave the queue at either end', () => {
  expect(move(start, -1).at).toBe(0)
  const end = { ...start, at: 3 }
  expect(move(end, 1).at).toBe(3)
})

test('a late answer about an item elsewhere does not move the reviewer', () => {
  const second = decide(start, 11, 'approve')
  expect(currentId(decide(second, 11, 'elsewhere'))).toBe(12)
  expect(countDecided(decide(second, 11, 'elsewhere'))).toBe(0)
})

test('the queue grows at its end', () => {
  const longer = extend({ ...start, at: 3 }, { total: 2, id: [14, 15] })
  expect(currentId(longer)).toBe(14)
  expect(longer.unloaded).toBe(0)
})

test('what was passed without a decision is found again', () => {
  const end = decide(decide(move(start, 1), 12, 'approve'), 13, 'approve')
  expect(currentId(end)).toBeUndefined()
  expect(currentId(returnToSkipped(end))).toBe(11)
})
