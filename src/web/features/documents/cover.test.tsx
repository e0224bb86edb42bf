import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Document } from '#shared/contract/documents.ts'
import { fill } from '#shared/wire.ts'
import { toCoverTile, toDocumentSummary } from './browse/document-summary.ts'
import { Cover } from './cover.tsx'

const blank = fill(Document, {}) as Document
const book = { ...blank, title: '山海经', username: '郭璞', pages: 12 }

function wordsOf(document: Document): string[] {
  const html = renderToStaticMarkup(<Cover document={toCoverTile(document)} />)
  return html.split(/<[^>]*>/).filter(Boolean)
}

test('a drawn cover has the title, the author and the kind; a picture has none of them', () => {
  expect(wordsOf({ ...book, ext: '.pdf' })).toEqual(['山海经', '郭璞', 'PDF'])
  expect(wordsOf({ ...book, ext: '.txt', cover: '/view/cover/1' })).toEqual(['山海经', '郭璞', 'TXT'])
  expect(wordsOf({ ...book, ext: '.pdf', cover: '/view/cover/1' })).toEqual([])
})

test('a drawn cover of a document without a known author has no empty line', () => {
  expect(wordsOf({ ...book, ext: '.pdf', username: '' })).toEqual(['山海经', 'PDF'])
})

test('in lists, a document without ratings has no score, whatever it starts with', () => {
  expect(toDocumentSummary({ ...book, score: 300, score_count: 0 }).score).toBe(0)
  expect(toDocumentSummary({ ...book, score: 420, score_count: 3 }).score).toBe(420)
})
