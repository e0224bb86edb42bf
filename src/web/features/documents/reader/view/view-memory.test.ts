import { beforeEach, expect, test } from 'vitest'
import {
  parseView,
  readChosenView,
  standardView,
  storeChosenView,
  viewOfPage,
} from '#web/features/documents/reader/view/view-memory.ts'
import { local } from '#web/lib/browser/storage.ts'

beforeEach(() => local.clear())

test('only the pages and the views that a document has are known', () => {
  expect(parseView('pages', [])).toBe('pages')
  expect(parseView('text', ['text'])).toBe('text')
  expect(parseView('text', ['table'])).toBeUndefined()
  expect(parseView(null, ['text'])).toBeUndefined()
})

test('the chosen view is kept for all documents that have it', () => {
  expect(readChosenView(['text'])).toBeUndefined()
  storeChosenView(['text'], 'text')
  expect(readChosenView(['text'])).toBe('text')
  expect(readChosenView([])).toBeUndefined()
  storeChosenView(['text'], 'pages')
  expect(readChosenView(['text'])).toBe('pages')
})

test('spreadsheets have a choice of their own', () => {
  storeChosenView(['table'], 'table')
  expect(readChosenView(['text'])).toBeUndefined()
  expect(readChosenView(['text', 'table'])).toBe('table')
})

test('a spreadsheet is a table first', () => {
  expect(standardView(['text', 'table'])).toBe('table')
  expect(standardView(['text'])).toBe('pages')
})

test('an address with a page shows the pages of a spreadsheet', () => {
  expect(viewOfPage(['text', 'table'], 3)).toBe('pages')
  expect(viewOfPage(['text', 'table'], 1)).toBeUndefined()
  expect(viewOfPage(['text'], 3)).toBeUndefined()
})
