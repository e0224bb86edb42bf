import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { startVendors, type Vendors } from '#server/testing/oauth/vendors.ts'
import { refusal } from '#server/testing/site.ts'

let site: DocumentSite
let vendors: Vendors
let id: number
beforeAll(async () => {
  site = await openDocumentSite()
  vendors = await startVendors('http://localhost')
  id = (await site.addDocuments({ texts: ['正文'] }))[0] ?? 0
})
afterAll(async () => {
  await site.close()
  await vendors.close()
})

test('a site without a mini program has none', async () => {
  expect(await refusal(site.call(documents.miniProgramCode, { id }))).toMatchObject({ status: 404 })
})

test('the code carries the number of the document; WeChat is asked once', async () => {
  await site.configure(vendors.settings)
  for (let times = 0; times < 2; times += 1) {
    const response = await site.request(`/api/v1/document/wxacode?id=${id}`)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
  }
  expect(vendors.miniProgram.scenes).toEqual([String(id)])
})

test('of a document that the visitor does not see there is none', async () => {
  expect(await refusal(site.call(documents.miniProgramCode, { id: id + 1000 }))).toMatchObject({ status: 404 })
})

test('a failure of WeChat is told as such', async () => {
  vendors.lie = 'down'
  const [other = 0] = await site.addDocuments({ texts: ['其他'] })
  expect(await refusal(site.call(documents.miniProgramCode, { id: other }))).toMatchObject({ status: 503 })
})
