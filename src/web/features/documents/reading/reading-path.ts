import { documentPath } from '#web/domain/paths.ts'

interface PageOfDocument {
  document_uuid: string
  page: number
}

/** A page of a document. */
export function pagePath({ document_uuid: uuid, page }: PageOfDocument): string {
  return documentPath({ uuid }) + (page > 1 ? `?page=${page}` : '')
}

/** A page with a highlight or a bookmark, in the only view that shows them. */
export function markPath({ document_uuid: uuid, page }: PageOfDocument): string {
  return `${documentPath({ uuid })}?page=${page}&view=pages`
}
