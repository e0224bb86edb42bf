import type { DocumentView } from '#shared/contract/documents.ts'
import { local } from '#web/lib/browser/storage.ts'

/** The pages as they were made, or another form of the same document. */
export type ReaderView = 'pages' | DocumentView

/** Undefined for a view that the document does not have. */
export function parseView(text: string | null, views: readonly DocumentView[]): ReaderView | undefined {
  return text === 'pages' ? text : views.find((view) => view === text)
}

/** Pages cut a spreadsheet into pieces: where there is a table, it comes first. */
export function standardView(views: readonly DocumentView[]): ReaderView {
  return views.includes('table') ? 'table' : 'pages'
}

/** The view that an address with a page asks for: a table has none, so it is a page of the pages. */
export function viewOfPage(views: readonly DocumentView[], page: number): ReaderView | undefined {
  return page > 1 && standardView(views) === 'table' ? 'pages' : undefined
}

/** The view that was chosen last, in this browser, for documents of this kind. */
export function readChosenView(views: readonly DocumentView[]): ReaderView | undefined {
  return parseView(local.read(keyOf(views)), views)
}

export function storeChosenView(views: readonly DocumentView[], view: ReaderView): void {
  local.write(keyOf(views), view)
}

/** A reader who wants spreadsheets as tables may still want books as pages. */
function keyOf(views: readonly DocumentView[]): string {
  return views.includes('table') ? 'wendou-table-view' : 'wendou-view'
}
