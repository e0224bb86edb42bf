import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { bring } from '#server/testing/converting.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { progressOf } from './documents.progress.ts'
import { moveDocuments } from './documents.status.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('who waits is told as soon as a conversion goes on', async () => {
  const { id } = await bring(site, { name: '看.pdf', content: makePdf({ title: '看' }) })
  const seen: number[] = []
  let known = (await site.call(documents.progress, { id: [id] })).known
  const worker = site.app.work()
  while (seen.at(-1) !== 2) {
    const reply = await site.call(documents.progress, { id: [id], wait: 10, known })
    expect(reply.known).not.toBe(known)
    known = reply.known
    seen.push(reply.document[0]?.status ?? -1)
  }
  await worker.stop()
  await site.settle()
  const { document } = await site.call(documents.progress, { id: [id] })
  expect(document).toMatchObject([{ status: 2, pages: 1, preview: 1, read: 1 }])
  expect((await site.request(document[0]?.cover ?? '')).status).toBe(200)
})

test.each([
  ['this process', () => site.app],
  ['another process', () => site.sibling()],
])('what %s does is known in a moment', async (_name, open) => {
  const { id } = await bring(site, { name: '变.pdf', content: makePdf({ title: `变 ${_name}` }) })
  await site.settle()
  const app = await open()
  const { known } = await site.call(documents.progress, { id: [id] })
  const began = performance.now()
  const waiting = site.call(documents.progress, { id: [id], wait: 20, known })
  await new Promise((resolve) => setTimeout(resolve, 150))
  const ctx = await app.context()
  await moveDocuments(ctx, [id], 'reconvert')
  const changed = performance.now()
  const { document } = await waiting
  expect(document).toMatchObject([{ status: 5 }])
  expect(performance.now() - changed).toBeLessThan(1000)
  expect(performance.now() - began).toBeGreaterThan(140)
})

test('without news the answer comes when the time is up, and is the same', async () => {
  const { id } = await bring(site, { name: '静.pdf', content: makePdf({ title: '静' }) })
  await site.settle()
  const { known } = await site.call(documents.progress, { id: [id] })
  const began = performance.now()
  expect((await site.call(documents.progress, { id: [id], wait: 1, known })).known).toBe(known)
  expect(performance.now() - began).toBeGreaterThan(950)
})

test('documents that a viewer may not see are left out', async () => {
  const owner = await site.member()
  const shown = await bring(site, { name: '开.pdf', content: makePdf({ title: '开' }), owner })
  const hidden = await bring(site, { name: '藏.pdf', content: makePdf({ title: '藏' }), owner, status: 6 })
  await site.settle()
  const id = [shown.id, hidden.id, 999_999]
  const seenBy = async (call: Site['call']) => (await call(documents.progress, { id })).document.map((row) => row.id)
  expect(await seenBy(site.call)).toEqual([shown.id])
  expect(await seenBy(owner.call)).toEqual([shown.id, hidden.id])
  expect(await seenBy(site.root.call)).toEqual([shown.id, hidden.id])
})

test('so many may wait; who comes then is answered at once', async () => {
  const { id } = await bring(site, { name: '挤.pdf', content: makePdf({ title: '挤' }) })
  await site.settle()
  const ctx = await site.app.context()
  const { known } = await progressOf(ctx, { id: [id], wait: 0, known: '' })
  const crowd = Array.from({ length: 500 }, () => progressOf(ctx, { id: [id], wait: 3, known }))
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const began = performance.now()
  await progressOf(ctx, { id: [id], wait: 20, known })
  expect(performance.now() - began).toBeLessThan(1000)
  await Promise.all(crowd)
})
