import { expect, onTestFinished, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { openLibrary } from '#server/testing/document-site.ts'

test('all that failed are converted again: so many at once, the rest in the background', async () => {
  const site = await openLibrary()
  onTestFinished(() => site.close())
  const hash = 'ab'.repeat(32)
  const failure = { reason: 'crashed', detail: '' }
  await site.shelve(...Array.from({ length: 230 }, () => ({ hash, status: 3, failure })))
  const inState = async (status: number) =>
    (await site.db.selectFrom('document').select('id').where('status', '=', status).execute()).length
  await site.root.call(documents.reconvert, { id: [] })
  expect([await inState(0), await inState(3)]).toEqual([200, 30])
  const left = await site.db.selectFrom('job').selectAll().where('kind', '=', 'documents.reconvert').execute()
  expect(left).toHaveLength(1)
  await site.settle()
  // Its file does not exist: tried again, they have all failed again.
  const rendition = await site.db.selectFrom('rendition').select('reason').where('hash', '=', hash).executeTakeFirst()
  expect(rendition?.reason).toBe('missing')
  expect(await inState(3)).toBe(230)
})
