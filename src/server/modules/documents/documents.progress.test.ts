import { DocumentStatus } from '#shared/document-status.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { publishDocument } from '#server/testing/publish-document.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'
import { getProgress } from './documents.progress.ts'
import { findProgress, openProgressWatcher, type ProgressWatcher } from './documents.watcher.ts'
import { moveDocuments } from './documents.status.ts'

/** In seconds; far longer than any test needs. */
const wait = 20

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('a long poll is answered as soon as the conversion makes progress', async () => {
  const { id } = await publishDocument(site, { name: '看.pdf', content: makePdf({ title: '看' }) })
  const statuses: DocumentStatus[] = []
  let known = (await site.call(documents.progress, { id: [id] })).known
  const worker = site.app.work()
  while (statuses.at(-1) !== DocumentStatus.Converted) {
    const reply = await site.call(documents.progress, { id: [id], wait, known })
    expect(reply.known).not.toBe(known)
    known = reply.known
    statuses.push(...reply.document.map(({ status }) => status))
  }
  await worker.stop()
  await site.runDueJobs()
  const { document } = await site.call(documents.progress, { id: [id] })
  expect(document).toMatchObject([{ status: DocumentStatus.Converted, pages: 1, preview: 1, read: 1 }])
  expect((await site.request(document[0]?.cover ?? '')).status).toBe(200)
})

test.each([
  ['this process', () => site.app],
  ['another process', () => site.openSecondProcess()],
])('a long poll is answered when %s changes the document', async (name, open) => {
  const id = await publishConverted(site, `变 ${name}`)
  const app = await open()
  const { known } = await site.call(documents.progress, { id: [id] })
  const poll = observe(site.call(documents.progress, { id: [id], wait, known }))
  await sleep(150)
  expect(poll.isSettled).toBe(false)
  await moveDocuments(await app.context(), [id], 'reconvert')
  const { document } = await beforeTimeout(poll.promise)
  expect(document).toMatchObject([{ status: DocumentStatus.PendingReconversion }])
})

test('a long poll without a change waits for its whole time, then repeats the known state', async () => {
  const id = await publishConverted(site, '静')
  const { known } = await site.call(documents.progress, { id: [id] })
  const ctx = await site.app.context()
  const waitForChange = vi.fn<ProgressWatcher['waitForChange']>().mockResolvedValue(false)
  const watcher: ProgressWatcher = { poll: () => {}, waitForChange, close: () => {} }
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const origin = { ...ctx.origin, network: 'campus' }
  const reply = await getProgress({ ...ctx, origin }, { id: [id], wait, known }, watcher)
  expect(reply.known).toBe(known)
  expect(waitForChange.mock.calls).toMatchObject([[{ ids: [id], network: 'campus', ms: wait * 1000 }]])
})

test('documents that a viewer may not see are left out', async () => {
  const owner = await site.member()
  const visible = await publishDocument(site, { name: '开.pdf', content: makePdf({ title: '开' }), owner })
  const hidden = await publishDocument(site, {
    name: '藏.pdf',
    content: makePdf({ title: '藏' }),
    owner,
    status: DocumentStatus.InReview,
  })
  await site.runDueJobs()
  const id = [visible.id, hidden.id, 999_999]
  const visibleTo = async (call: Site['call']) => (await call(documents.progress, { id })).document.map((row) => row.id)
  expect(await visibleTo(site.call)).toEqual([visible.id])
  expect(await visibleTo(owner.call)).toEqual([visible.id, hidden.id])
  expect(await visibleTo(site.root.call)).toEqual([visible.id, hidden.id])
})

test.each([
  ['a network', 100, () => 'campus'],
  ['all networks', 500, (n: number) => `network ${n}`],
])(
  'a request beyond the limit of waiting requests of %s is answered after a second',
  async (_name, limit, networkOf) => {
    const waitFrom = await openWaiters(`挤 ${limit}`)
    const waiting = Array.from({ length: limit }, (_, n) => waitFrom(networkOf(n)))
    const refused = waitFrom(networkOf(0))
    await vi.advanceTimersByTimeAsync(999)
    expect(refused.isSettled).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(refused.isSettled).toBe(true)
    await vi.advanceTimersByTimeAsync(2999)
    expect(waiting.some(({ isSettled }) => isSettled)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(waiting.every(({ isSettled }) => isSettled)).toBe(true)
    const results = await Promise.all([refused, ...waiting].map(({ promise }) => promise))
    expect(new Set(results)).toEqual(new Set([false]))
  },
)

test('the limit of a network does not concern others', async () => {
  const waitFrom = await openWaiters('邻')
  for (let n = 0; n < 100; n++) waitFrom('campus')
  const [crowded, alone] = [waitFrom('campus'), waitFrom('home')]
  await vi.advanceTimersByTimeAsync(1000)
  expect([crowded.isSettled, alone.isSettled]).toEqual([true, false])
})

test('a visitor asks for a hundred documents at most', async () => {
  const id = Array.from({ length: 101 }, (_, n) => n + 1)
  expect(await refusal(site.call(documents.progress, { id }))).toMatchObject({ status: 400 })
  await site.root.call(documents.progress, { id })
})

test('a shutdown ends pending long polls', async () => {
  const closing = await openSite()
  onTestFinished(() => closing.close())
  const id = await publishConverted(closing, '走')
  const { known } = await closing.call(documents.progress, { id: [id] })
  const poll = observe(closing.call(documents.progress, { id: [id], wait, known }))
  await sleep(300)
  expect(poll.isSettled).toBe(false)
  closing.app.drain()
  expect((await beforeTimeout(poll.promise)).known).toBe(known)
  const afterShutdown = closing.call(documents.progress, { id: [id], wait, known })
  expect((await beforeTimeout(afterShutdown)).known).toBe(known)
})

async function publishConverted(on: Site, title: string): Promise<number> {
  const { id } = await publishDocument(on, { name: `${title}.pdf`, content: makePdf({ title }) })
  await on.runDueJobs()
  return id
}

/** Requests that wait up to four seconds for a change of one document, by a fake clock. */
async function openWaiters(title: string) {
  const id = await publishConverted(site, title)
  const seen = await findProgress(site.db, [id])
  const watcher = openProgressWatcher(site.db)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  onTestFinished(() => {
    watcher.close()
    vi.useRealTimers()
  })
  return (network: string) => observe(watcher.waitForChange({ ids: [id], seen, network, ms: 4000 }))
}

/** A promise, and whether it has settled. */
function observe<T>(promise: Promise<T>): { promise: Promise<T>; isSettled: boolean } {
  const observed = { promise, isSettled: false }
  const settle = () => {
    observed.isSettled = true
  }
  promise.then(settle, settle)
  return observed
}

/** Fails if a long poll takes its whole time. */
function beforeTimeout<T>(poll: Promise<T>): Promise<T> {
  const timeout = sleep(wait * 1000, undefined, { ref: false })
  return Promise.race([poll, timeout.then(() => expect.fail('the long poll timed out'))])
}
