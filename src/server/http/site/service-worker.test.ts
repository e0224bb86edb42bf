import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { renderServiceWorker } from './service-worker.ts'

const origin = 'https://wenku.example'
/** A view key for the same pictures, by the hour or the session that it was given for. */
const key = (rest: string) => `AAAAAAEAAQAAAAAA${rest.padEnd(30, 'x')}`
const plan = '/api/v1/document/plan?uuid=0123456789abcdef'
const page = (number: number, rest: string) => `/view/page/${key(rest)}/${number}.svg`

test('without a network a member has the replies and the pages that his session has opened, whatever hour it is', async () => {
  const worker = startWorker()
  await worker.get(plan, 'first')
  await worker.get(page(7, 'at-ten'))
  await worker.open('/document/0123456789abcdef')
  worker.network.isLost = true
  expect(await worker.get(plan, 'first')).toBe(plan)
  expect(await worker.get(page(7, 'at-eleven'))).toBe(page(7, 'at-ten'))
  expect(await worker.get(page(8, 'at-ten'))).toBeUndefined()
})

test.each([
  ['another member reads', 'second'],
  ['a visitor reads', undefined],
])('nothing of a session is left when %s, without a network too', async (_name, token) => {
  const worker = startWorker()
  await worker.get(plan, 'first')
  await worker.get(page(1, 'first'))
  worker.network.isLost = true
  expect(await worker.get(plan, token)).toBeUndefined()
  expect(await worker.get(page(1, 'first'))).toBeUndefined()
  expect(await worker.get(plan, 'first')).toBeUndefined()
})

test('a page without a session ends what is kept of the last one', async () => {
  const worker = startWorker()
  await worker.get(plan, 'first')
  await worker.get(page(1, 'first'))
  await worker.tell({ page: '/', files: [], isMember: true })
  expect(worker.copies()).toContain(`${origin}${plan}`)
  await worker.tell({ page: '/', files: [], isMember: false })
  expect(worker.copies()).toEqual([`${origin}/`])
})

test('the pages that a share link opens to a visitor stay for the page that shows them', async () => {
  const worker = startWorker()
  await worker.get(plan)
  await worker.get(page(1, 'share'))
  expect(worker.copies()).toHaveLength(1)
  await worker.open('/category')
  expect(worker.copies()).toEqual([`${origin}/category`])
})

test('a document that is refused by now is not kept', async () => {
  const worker = startWorker()
  await worker.get(plan, 'first')
  worker.network.status = 403
  await worker.get(plan, 'first')
  worker.network.isLost = true
  expect(await worker.get(plan, 'first')).toBeUndefined()
})

interface WorkerEvent {
  request?: { mode: string; method: string; url: string; headers: Headers }
  data?: unknown
  respondWith: (response: Promise<Response>) => void
  waitUntil: (work: Promise<unknown>) => void
}

function ofThisSite(response: Response): Response {
  const clone = () => ofThisSite(Response.prototype.clone.call(response))
  return Object.defineProperties(response, { type: { value: 'basic' }, clone: { value: clone } })
}

/** The script, in a browser that has no more than what it uses. */
function startWorker() {
  const network = { isLost: false, status: 200 }
  const listeners = new Map<string, (event: WorkerEvent) => void>()
  const stores = new Map<string, Map<string, { request: Request; response: Response }>>()
  const urlOf = (key: string | Request) => new URL(typeof key === 'string' ? key : key.url, origin).href
  const caches = {
    has: async (name: string) => stores.has(name),
    delete: async (name: string) => stores.delete(name),
    keys: async () => [...stores.keys()],
    async open(name: string) {
      const store = stores.get(name) ?? new Map<string, { request: Request; response: Response }>()
      stores.set(name, store)
      return {
        keys: async () => [...store.values()].map(({ request }) => request),
        match: async (key: string | Request) => store.get(urlOf(key))?.response.clone(),
        delete: async (key: string | Request) => store.delete(urlOf(key)),
        async put(key: string | Request, response: Response) {
          store.set(urlOf(key), { request: typeof key === 'string' ? new Request(urlOf(key)) : key, response })
        },
      }
    },
    match: async () => undefined,
  }
  const fetch = async (request: { url: string } | string) => {
    if (network.isLost) throw new TypeError('Failed to fetch')
    const url = new URL(typeof request === 'string' ? request : request.url, origin)
    const isPersonal = url.pathname.startsWith('/view/')
    const response = new Response(url.pathname + url.search, {
      status: network.status,
      headers: { 'cache-control': isPersonal ? 'private, no-cache' : 'no-store' },
    })
    return ofThisSite(response)
  }
  const self = {
    addEventListener: (name: string, listener: (event: WorkerEvent) => void) => listeners.set(name, listener),
  }
  const location = new URL(origin)
  const known = { self, caches, fetch, location, URL, Request, Response, setTimeout, Date, Math }
  runInNewContext(renderServiceWorker('test'), known)

  const dispatch = async (name: string, event: Pick<WorkerEvent, 'request' | 'data'>) => {
    let answer: Promise<Response> | undefined
    const work: Promise<unknown>[] = []
    const handlers = {
      respondWith: (response: Promise<Response>) => (answer = response),
      waitUntil: (started: Promise<unknown>) => work.push(started),
    }
    listeners.get(name)?.({ ...event, ...handlers })
    const response = await answer
    for (let done = 0; done < work.length; done = work.length) await Promise.all(work)
    return response?.ok ? response.text() : undefined
  }
  const request = (mode: string, path: string, token?: string) => ({
    request: {
      mode,
      method: 'GET',
      url: new URL(path, origin).href,
      headers: new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  })
  return {
    network,
    /** The body of the reply; undefined where there is none. */
    get: (path: string, token?: string) => dispatch('fetch', request('cors', path, token)),
    open: (path: string) => dispatch('fetch', request('navigate', path)),
    tell: (data: unknown) => dispatch('message', { data }),
    copies: () => [...stores.values()].flatMap((store) => [...store.keys()]),
  }
}
