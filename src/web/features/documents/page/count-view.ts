import { documents } from '#shared/contract/documents.ts'
import { api } from '#web/lib/api.ts'

/** Rendering does not count views; fetching the document from the browser does. */
export async function countView(id: number): Promise<void> {
  await api(documents.get, { id, with_author: true }).catch(() => undefined)
}
