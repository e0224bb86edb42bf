import { afterAll, beforeAll, expect, test } from 'vitest'
import { DocumentStatus } from '#shared/document-status.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { makeEndlessPdf } from '#server/samples/raw-pdf.ts'
import { documentRow, publishDocument } from '#server/testing/publish-document.ts'
import { openSite, type Site } from '#server/testing/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('documents made to run into the time limit do not hold up the document of another member', async () => {
  const [attacker, other] = [await site.member(), await site.member()]
  for (let n = 0; n < 8; n++)
    await publishDocument(site, { name: `${n}.pdf`, content: makeEndlessPdf(`${n}`), owner: attacker })
  const worker = site.app.work()
  const renditions = () => site.db.selectFrom('rendition').select(['state', 'reason']).execute()
  await expect.poll(async () => (await renditions()).some(({ state }) => state === 'working')).toBe(true)
  const { id } = await publishDocument(site, { name: '别人.pdf', content: makePdf({ title: '别人' }), owner: other })
  await expect
    .poll(async () => (await documentRow(site, id)).status, { timeout: 55_000 })
    .toBe(DocumentStatus.Converted)
  // Not behind the eight: at most those that were begun before it have reached their time limit by then.
  expect((await renditions()).filter(({ reason }) => reason === 'timeout').length).toBeLessThanOrEqual(4)
  await worker.stop()
}, 120_000)
