/**
 * The script of the service worker. What a visitor has read stays readable without a network: pages as the server has
 * rendered them for anonymous visitors, the pictures and the text of documents, and the scripts of the build. With a
 * network everything but the scripts, whose names change with their content, comes from the server. Pictures that only a
 * session opens stay for the page that shows them: the next page may be another user's.
 */
export function renderServiceWorker(version: string): string {
  return `const offlineCache = 'offline-${version}'
const offlinePage = '/offline'
/** How many of each are cached. */
const limits = { pages: 60, pictures: 400, personal: 400, scripts: 300 }
const bypassed = /^\\/(admin|api|download|uploads|view|assets|me)(\\/|$)/

/** Where the browser knows them, nothing waits for the worker to start and answer: the first answer counts. */
const [race, scripts] = ['race-network-and-fetch-handler', { cacheName: 'scripts' }]
const routes = [
  { condition: { requestMode: 'navigate' }, source: race },
  { condition: { urlPattern: '/view/*' }, source: race },
  { condition: { urlPattern: '/assets/*' }, source: scripts },
  { condition: { urlPattern: '/*' }, source: 'network' },
]

self.addEventListener('install', (event) => {
  event.addRoutes?.(routes).catch(() => {})
  event.waitUntil(install())
})
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  const { mode, method, url } = event.request
  const { pathname, origin } = new URL(url)
  if (method !== 'GET' || origin !== location.origin) return
  if (mode === 'navigate') event.waitUntil(caches.delete('personal'))
  if (pathname.startsWith('/assets/')) event.respondWith(fromCache(event))
  else if (pathname.startsWith('/view/')) event.respondWith(fromNetwork(event, 'pictures'))
  else if (mode === 'navigate' && !bypassed.test(pathname)) event.respondWith(navigate(event))
})
// Pages that are opened without a navigation, and what was loaded before the worker was there.
self.addEventListener('message', (event) => {
  const { page, files } = event.data
  const missing = files.map((url) => copy(url.includes('/assets/') ? 'scripts' : 'pictures', url))
  if (!bypassed.test(new URL(page, location.origin).pathname)) missing.push(copy('pages', page))
  event.waitUntil(Promise.allSettled(missing))
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

async function fromCache(event) {
  return (await find('scripts', event.request.url)) ?? fromNetwork(event, 'scripts')
}

async function fromNetwork(event, name) {
  try {
    const response = await fetch(event.request)
    event.waitUntil(store(name, event.request.url, response.clone()))
    return response
  } catch {
    return (await find(name, event.request.url)) ?? Response.error()
  }
}

async function find(name, url) {
  // The query of a document only says how far it was read.
  const ignoreSearch = new URL(url, location.origin).pathname.startsWith('/document/')
  const found = await (await caches.open(name)).match(url, { ignoreVary: true, ignoreSearch })
  return found ?? (name === 'pictures' ? find('personal', url) : undefined)
}

async function copy(name, url) {
  if (!(await find(name, url))) await store(name, url, await fetch(url))
}

/** What is refused or gone is not kept either. */
async function store(kind, url, response) {
  const isPersonal = response.headers.get('cache-control')?.startsWith('private')
  const name = isPersonal ? 'personal' : kind
  const cache = await caches.open(name)
  if (response.type === 'basic' && response.status < 500) await cache.delete(url)
  if (response.status !== 200 || response.redirected) return
  await cache.put(url, response)
  for (const oldest of (await cache.keys()).slice(0, -limits[name])) await cache.delete(oldest)
}
`
}
