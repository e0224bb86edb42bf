import type { DocumentView } from '#shared/contract/documents.ts'
import { local } from '#web/lib/browser/storage.ts'

/** The pages as they were made, or another form of the same document. */
export type ReaderView = 'pages' | DocumentView

/** Undefined for a view that the document does not have. */
export function parseView(text: string | null, views: readonly DocumentView[]): ReaderView | undefined {
  return text === 'pages' ? text : views.find((view) => view === text)
}

/** The facts that the first view of a document depends on. */
export interface Readable {
  views: readonly DocumentView[]
  /** Its text has no pages of its own, as that of an e-book. */
  isFlowing: boolean
}

/**
 * Pages cut a spreadsheet into pieces: where there is a table, it comes first. The pages of an e-book are the converter's,
 * and too small for a phone, where its text comes first.
 */
export function standardView({ views, isFlowing }: Readable, isPhone: boolean): ReaderView {
  if (views.includes('table')) return 'table'
  return isPhone && isFlowing && views.includes('text') ? 'text' : 'pages'
}

/** The view that an address with a page asks for: a table has none, so it is a page of the pages. */
export function viewOfPage({ views }: Readable, page: number): ReaderView | undefined {
  return page > 1 && views.includes('table') ? 'pages' : undefined
}

/** The view that was chosen last, in this browser, for documents of this kind. */
export function readChosenView({ views, isFlowing }: Readable): ReaderView | undefined {
  const chosen = parseView(local.read(keyOf({ views, isFlowing })), views)
  // A reader who reads reports as text reads books so too.
  return chosen ?? (isFlowing && local.read(keys.paged) === 'text' ? parseView('text', views) : undefined)
}

export function storeChosenView(document: Readable, view: ReaderView): void {
  local.write(keyOf(document), view)
}

const keys = { table: 'wendou-table-view', flowing: 'wendou-book-view', paged: 'wendou-view' }

/** A reader who wants spreadsheets as tables may still want books as pages. */
function keyOf({ views, isFlowing }: Readable): string {
  return views.includes('table') ? keys.table : isFlowing ? keys.flowing : keys.paged
}
