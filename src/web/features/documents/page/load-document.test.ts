import { expect, test, vi } from 'vitest'
import type { Call } from '#shared/client.ts'
import { documents } from '#shared/contract/documents.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { loadDocument } from '#web/features/documents/page/load-document.ts'

function replying(status: DocumentStatus, preview: number): Call {
  return vi.fn(async (endpoint: unknown) => {
    if (endpoint === documents.get) return { id: 1, user_id: 1, status, category: [], content: '' }
    if (endpoint === documents.layout) return { pages: preview, preview, size: [], outline: [], views: [] }
    if (endpoint === documents.progress) return { known: 'x', document: [{ status, first: 0 }] }
    return { advertisement: [], document: [] }
  }) as unknown as Call
}

test('a page whose first picture is ready meanwhile is rendered with it, not with the shared reply from before', async () => {
  const page = await loadDocument({
    api: replying(DocumentStatus.Converting, 0),
    freshApi: replying(DocumentStatus.Converted, 3),
    params: { id: '0123456789abcdef' },
    url: new URL('http://localhost/document/0123456789abcdef'),
  })
  expect(page.plan.preview).toBe(3)
  expect(page.document.status).toBe(DocumentStatus.Converted)
})
