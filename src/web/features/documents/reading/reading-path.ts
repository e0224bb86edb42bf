import { documentPath } from '#web/domain/paths.ts'

/** A page of a document. */
export function pagePath({ document_uuid: uuid, page }: { document_uuid: string; page: number }): string {
  return documentPath({ uuid }) + (page > 1 ? `?page=${page}` : '')
}
