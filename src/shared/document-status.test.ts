import { expect, test } from 'vitest'
import { allCodes } from './codes.ts'
import {
  awaitsPages,
  type DocumentEvent,
  DocumentStatus,
  eventToward,
  fromWireStatuses,
  isConverting,
  nextStatus,
  publicStatuses,
  toWireStatus,
  whyUnrejectable,
  whyUnreplaceable,
} from './document-status.ts'

const { Pending, Converting, Converted, Failed, Disabled, PendingReconversion, InReview, Rejected, FailedInReview } =
  DocumentStatus
const states = allCodes(DocumentStatus)

test('a new document is converted, or its conversion fails', () => {
  expect(nextStatus(Pending, 'start')).toBe(Converting)
  expect(nextStatus(Converting, 'succeed')).toBe(Converted)
  expect(nextStatus(Converting, 'fail')).toBe(Failed)
  expect(nextStatus(Failed, 'reconvert')).toBe(Pending)
})

test('a document that is approved or enabled again is shown at once if it has pages, and is converted otherwise', () => {
  for (const from of [InReview, Rejected]) {
    expect(nextStatus(from, 'approve', true)).toBe(Converted)
    expect(nextStatus(from, 'approve', false)).toBe(Pending)
  }
  expect(nextStatus(Disabled, 'enable', true)).toBe(Converted)
  expect(nextStatus(Disabled, 'enable', false)).toBe(Pending)
})

test('a conversion never publishes a document that is rejected, disabled or in review', () => {
  const events = ['start', 'succeed', 'fail', 'interrupt', 'reconvert'] as const
  for (const from of [Disabled, InReview, Rejected, FailedInReview]) {
    for (const event of events)
      expect(publicStatuses, `${from} ${event}`).not.toContain(nextStatus(from, event) ?? from)
  }
})

test('a document whose file cannot be converted fails in review; it is reviewed once it can be', () => {
  expect(nextStatus(InReview, 'fail')).toBe(FailedInReview)
  expect(nextStatus(FailedInReview, 'approve')).toBeUndefined()
  expect(nextStatus(FailedInReview, 'succeed')).toBe(InReview)
  expect(nextStatus(FailedInReview, 'review')).toBe(InReview)
  expect([toWireStatus(FailedInReview), toWireStatus(InReview)]).toEqual([Failed, InReview])
  expect(fromWireStatuses([Failed])).toEqual([Failed, FailedInReview])
})

test('pages are awaited while a conversion runs, also in review, until they are there or it has failed', () => {
  expect(awaitsPages({ status: InReview })).toBe(true)
  expect(awaitsPages({ status: InReview, pages: 3 })).toBe(false)
  expect(awaitsPages({ status: InReview, convert_error: '没有预览' })).toBe(false)
  expect(awaitsPages({ status: Converting, pages: 3 })).toBe(true)
  expect(awaitsPages({ status: Failed })).toBe(false)
})

test('a document can be disabled in every state but the disabled one', () => {
  expect(states.filter((from) => nextStatus(from, 'disable') === undefined)).toEqual([Disabled])
})

test('every event has transitions, and only to existing states', () => {
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

test('a document is converting until it is converted or has failed', () => {
  expect(states.filter((status) => isConverting({ status }))).toEqual([Pending, Converting, PendingReconversion])
})

test('a published document is disabled, not turned down, unless its file cannot be converted', () => {
  const refused = states.filter((status) => whyUnrejectable({ status }))
  expect(refused).toEqual([Pending, Converting, Converted, PendingReconversion])
})

test('a file is replaced in every status but while a reviewer decides, and where staff have disabled the document', () => {
  const refused = states.filter((status) => whyUnreplaceable({ status }))
  expect(refused).toEqual([Disabled, InReview])
  expect(whyUnreplaceable({ status: InReview })).toContain('请等审核结束')
})
