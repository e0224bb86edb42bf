/**
 * The script of the service worker. What a visitor has read stays readable without a network: pages as the server has
 * rendered them for anonymous visitors, the pictures and the text of documents, and the scripts of the build. With a
 * network everything but the scripts, whose names change with their content, comes from the server.
 *
 * What only a session opens (`private`) is personal. A member's stays until the session ends, with what the server has
 * replied about the documents: without a network the reader asks for both again. The page deletes them (lib/session.ts), and
 * so does a request of any other session. Without a session, a share link's stays for the page that shows it.
 */
export function renderServiceWorker(version: string): string {
  return `const offlineCache = 'offline-${version}'
const offlinePage = '/offline'
/** About how many of each are cached. */
const limits = { pages: 60, pictures: 400, personal: 400, replies: 100, scripts: 300 }
/** Replies that say which pages a member may read, and where they are. */
const replies = /^\\/api\\/v1\\/document(\\/plan|\\/terms)?$/
const bypassed = /^\\/(admin|api|download|uploads|view|assets|me)(\\/|$)/

/** Where the browser knows them, nothing waits for the worker to start and answer: the first answer counts. */
const [race, scripts] = ['race-network-and-fetch-handler', { cacheName: 'scripts' }]
const routes = [
  { condition: { requestMode: 'navigate' }, source: race },
  { condition: { urlPattern: '/view/*' }, source: race },
  { condition: { urlPattern: { pathname: '/api/v1/document{/(plan|terms)}?', search: '*' } }, source: race },
  { condition: { urlPattern: '/assets/*' }, source: scripts },
  { condition: { urlPattern: '/*' }, source: 'network' },
]

const pauseMs = 300
let lastFetchAt = Date.now()

self.addEventListener('install', (event) => {
  event.addRoutes?.(routes).catch(() => {})
  event.waitUntil(install())
})
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  lastFetchAt = Date.now()
  const { mode, method, url } = event.request
  const { pathname, origin } = new URL(url)
  if (method !== 'GET' || origin !== location.origin) return
  if (mode === 'navigate') event.waitUntil(forgetVisitor())
  if (pathname.startsWith('/assets/')) event.respondWith(fromCache(event))
  else if (pathname.startsWith('/view/')) event.respondWith(fromNetwork(event, 'pictures'))
  else if (replies.test(pathname)) event.respondWith(forSession(event))
  else if (mode === 'navigate' && !bypassed.test(pathname)) event.respondWith(navigate(event))
})
// Pages that are opened without a navigation, and what was loaded before the worker was there.
self.addEventListener('message', (event) => {
  const { page, files, isMember } = event.data
  if (!isMember) event.waitUntil(forgetMember())
  const missing = files.map((url) => [url.includes('/assets/') ? 'scripts' : 'pictures', url])
  if (!bypassed.test(new URL(page, location.origin).pathname)) missing.unshift(['pages', page])
  event.waitUntil(copyAll(missing))
})

async function install() {
  const cache = await caches.open(offlineCache)
  await cache.add(new Request(offlinePage, { cache: 'reload' }))
  await self.skipWaiting()
}

async function activate() {
  for (const name of await caches.keys()) if (name !== offlineCache && !(name in limits)) await caches.delete(name)
  await self.clients.claim()
}

async function navigate(event) {
  const response = await fromNetwork(event, 'pages')
  return response.type === 'error' ? ((await caches.match(offlinePage)) ?? response) : response
}

/** A request with the token of another session, or without one, ends what is kept of the last. */
async function forSession(event) {
  const authorization = event.request.headers.get('authorization')
  if ((await lastSession()) !== authorization) await forgetMember()
  if (!authorization) return fetch(event.request).catch(() => Response.error())
  return fromNetwork(event, 'replies', new Request(event.request.url, { headers: { authorization } }))
}

async function lastSession() {
  if (!(await caches.has('replies'))) return null
  const [request] = await (await caches.open('replies')).keys()
  return request?.headers.get('authorization') ?? null
}

async function forgetMember() {
  if (await caches.delete('replies')) await caches.delete('personal')
}

async function forgetVisitor() {
  if (!(await caches.has('replies'))) await caches.delete('personal')
}

async function fromCache(event) {
  return (await find('scripts', event.request.url)) ?? fromNetwork(event, 'scripts')
}

async function fromNetwork(event, name, key = event.request.url) {
  try {
    const response = await fetch(event.request)
    event.waitUntil(store(name, key, response.clone()))
    return response
  } catch {
    return (await find(name, event.request.url)) ?? Response.error()
  }
}

async function find(name, url) {
  // The query of a document only says how far it was read.
  const ignoreSearch = new URL(url, location.origin).pathname.startsWith('/document/')
  const found = await (await caches.open(name)).match(url, { ignoreVary: true, ignoreSearch })
  return found ?? (name === 'pictures' ? find('personal', personalKey(url)) : undefined)
}

/** The start of a view key says what it shows. The rest, which changes by the hour, is the session's. */
function personalKey(url) {
  return url.replace(/(\\/view\\/\\w+\\/[\\w-]{16})[\\w-]+/, '$1')
}

/** One after the other, and in the pauses of a visitor who turns page after page. */
async function copyAll(missing) {
  for (const [name, url] of missing) {
    for (let waits = 0; waits < 5 && Date.now() - lastFetchAt < pauseMs; waits++) await sleep(pauseMs)
    await copy(name, url).catch(() => {})
  }
}

async function copy(name, url) {
  if (!(await find(name, url))) await store(name, url, await fetch(url))
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** What is refused or gone is not kept either. */
async function store(kind, address, response) {
  const isPersonal = response.headers.get('cache-control')?.startsWith('private')
  const [name, key] = isPersonal ? ['personal', personalKey(address)] : [kind, address]
  const cache = await caches.open(name)
  if (response.type === 'basic' && response.status < 500) await cache.delete(key)
  if (response.status !== 200 || response.redirected) return
  await cache.put(key, response)
  if (Math.random() < 0.1) await trim(cache, limits[name])
}

/** Not after every file: a browser takes longer to list hundreds of them than to store one. */
async function trim(cache, limit) {
  for (const oldest of (await cache.keys()).slice(0, -limit)) await cache.delete(oldest)
}
`
}
