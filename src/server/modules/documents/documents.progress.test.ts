import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import type { Input } from '#shared/endpoint.ts'
import { bring } from '#server/testing/converting.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'
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

// On a busy machine a second is short: of three tries one must keep it.
test.each([
  ['this process', () => site.app],
  ['another process', () => site.sibling()],
])('what %s does is known in a moment', { retry: 2 }, async (_name, open) => {
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

const crowding = 'so many may wait, and so many of one network; who comes then gets an answer in a second, not at once'
test(crowding, { retry: 2, timeout: 30_000 }, async () => {
  const { id } = await bring(site, { name: '挤.pdf', content: makePdf({ title: '挤' }) })
  await site.settle()
  const { known } = await ask('somewhere', { id: [id], wait: 0, known: '' })
  const timed = async (network: string) => {
    const began = performance.now()
    await ask(network, { id: [id], wait: 5, known })
    return performance.now() - began
  }
  const campus = Array.from({ length: 100 }, () => ask('campus', { id: [id], wait: 4, known }))
  await rest(300)
  const [crowded, alone] = await Promise.all([timed('campus'), timed('home')])
  expect(crowded).toBeGreaterThan(900)
  expect(crowded).toBeLessThan(3000)
  expect(alone).toBeGreaterThan(4500)
  await Promise.all(campus)
  const crowd = Array.from({ length: 500 }, (_, n) => ask(`network ${n}`, { id: [id], wait: 4, known }))
  await rest(1000)
  const full = await timed('home')
  expect(full).toBeGreaterThan(900)
  expect(full).toBeLessThan(2500)
  await Promise.all(crowd)
})

test('a visitor asks for a hundred documents at most', async () => {
  const id = Array.from({ length: 101 }, (_, n) => n + 1)
  expect(await refusal(site.call(documents.progress, { id }))).toMatchObject({ status: 400 })
  await site.root.call(documents.progress, { id })
})

test('a site that goes away keeps nobody waiting', async () => {
  const leaving = await openSite()
  onTestFinished(() => leaving.close())
  const { id } = await bring(leaving, { name: '走.pdf', content: makePdf({ title: '走' }) })
  await leaving.settle()
  const { known } = await leaving.call(documents.progress, { id: [id] })
  const waiting = leaving.call(documents.progress, { id: [id], wait: 20, known })
  await rest(300)
  const began = performance.now()
  leaving.app.drain()
  expect((await waiting).known).toBe(known)
  expect((await leaving.call(documents.progress, { id: [id], wait: 20, known })).known).toBe(known)
  expect(performance.now() - began).toBeLessThan(10_000)
})

async function ask(network: string, input: Input<typeof documents.progress>) {
  const ctx = await site.app.context()
  return progressOf({ ...ctx, origin: { ...ctx.origin, network } }, input)
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
