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

const report = { views: ['text'], isFlowing: false } as const
const book = { views: ['text'], isFlowing: true } as const
const sheet = { views: ['table'], isFlowing: false } as const
const sheetWithText = { views: ['text', 'table'], isFlowing: false } as const

test('the chosen view is kept for all documents that have it', () => {
  expect(readChosenView(report)).toBeUndefined()
  storeChosenView(report, 'text')
  expect(readChosenView(report)).toBe('text')
  expect(readChosenView({ ...report, views: [] })).toBeUndefined()
  expect(readChosenView(book)).toBe('text')
  storeChosenView(report, 'pages')
  expect(readChosenView(report)).toBe('pages')
})

test('spreadsheets have a choice of their own', () => {
  storeChosenView(sheet, 'table')
  expect(readChosenView(report)).toBeUndefined()
  expect(readChosenView(sheetWithText)).toBe('table')
})

test('so have books: who wants the pages of reports may still want the text of books', () => {
  storeChosenView(report, 'pages')
  expect(readChosenView(book)).toBeUndefined()
  storeChosenView(book, 'pages')
  expect(readChosenView(book)).toBe('pages')
})

test('a spreadsheet is a table first, and a book on a phone is text', () => {
  expect(standardView(sheetWithText, true)).toBe('table')
  expect(standardView(report, true)).toBe('pages')
  expect(standardView(book, false)).toBe('pages')
  expect(standardView(book, true)).toBe('text')
  // A book is shown as pages as long as its text is not extracted.
  expect(standardView({ ...book, views: [] }, true)).toBe('pages')
})

test('an address with a page shows the pages of a spreadsheet', () => {
  expect(viewOfPage(sheetWithText, 3)).toBe('pages')
  expect(viewOfPage(sheetWithText, 1)).toBeUndefined()
  expect(viewOfPage(report, 3)).toBeUndefined()
})
