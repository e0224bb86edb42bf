import { getDocumentKind, type DocumentKind } from '#shared/document-kinds.ts'

/** The colour of a document's kind. */
export function kindColor(ext: string): string {
  return `var(--kind-${colors[getDocumentKind(ext)]})`
}

const colors: Record<DocumentKind, string> = {
  pdf: 'pdf',
  word: 'word',
  ppt: 'ppt',
  excel: 'excel',
  text: 'text',
  epub: 'ebook',
  mobi: 'ebook',
  chm: 'ebook',
  umd: 'ebook',
  other: 'text',
}
