import { DocumentStatus } from '#shared/document-status.ts'
import { expect, onTestFinished, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { openDocumentSite } from '#server/testing/document-site.ts'

test('all failed documents are reconverted: a batch at once, the rest by a job', async () => {
  const site = await openDocumentSite()
  onTestFinished(() => site.close())
  const hash = 'ab'.repeat(32)
  const failure = { reason: 'crashed', detail: '' }
  await site.addDocuments(...Array.from({ length: 230 }, () => ({ hash, status: DocumentStatus.Failed, failure })))
  const inStatus = async (status: DocumentStatus) =>
    (await site.db.selectFrom('document').select('id').where('status', '=', status).execute()).length
  await site.root.call(documents.reconvert, { id: [] })
  expect([await inStatus(DocumentStatus.Pending), await inStatus(DocumentStatus.Failed)]).toEqual([200, 30])
  const jobs = await site.db.selectFrom('job').selectAll().where('kind', '=', 'documents.reconvert').execute()
  expect(jobs).toHaveLength(1)
  await site.runDueJobs()
  // The file does not exist, so they fail again.
  const rendition = await site.db.selectFrom('rendition').select('reason').where('hash', '=', hash).executeTakeFirst()
  expect(rendition?.reason).toBe('missing')
  expect(await inStatus(DocumentStatus.Failed)).toBe(230)
})

test('formats without preview are no failures: they are not converted again', async () => {
  const site = await openDocumentSite()
  onTestFinished(() => site.close())
  const [broken = 0, unpreviewable = 0] = await site.addDocuments(
    { status: DocumentStatus.Failed, failure: { reason: 'crashed', detail: '' } },
    { status: DocumentStatus.Failed, failure: { reason: 'unsupported', detail: 'azw3' } },
  )
  await site.root.call(documents.reconvert, { id: [] })
  expect((await site.root.call(documents.get, { id: broken })).status).toBe(DocumentStatus.Pending)
  expect((await site.root.call(documents.get, { id: unpreviewable })).status).toBe(DocumentStatus.Failed)
})
