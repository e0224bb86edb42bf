import { client } from '#shared/client.ts'
import { reading } from '#shared/contract/reading.ts'
import {
  positionsKey,
  readPositions,
  type Position,
} from '#web/features/documents/reader/position/reading-positions.ts'
import {
  addUnsent,
  readUnsent,
  withoutSent,
  type UnsentPlace,
} from '#web/features/documents/reader/position/unsent-places.ts'
import { sentPlaces } from '#web/features/documents/reader/position/sent-places.ts'
import { api } from '#web/lib/api.ts'
import { apiBase } from '#web/lib/api-base.ts'
import { local } from '#web/lib/browser/storage.ts'
import { currentSession } from '#web/lib/session.ts'
import { shareKeyHeader, shareKeys } from '#web/lib/share-keys.ts'

/** Keeps the places of a member on the server. Places are sent every few seconds and when the page is left. */

const unsentKey = 'wendou-places-unsent'
const throttleMs = 5000
/** A document that was open for less time does not count as read. */
const openedMs = 5000

interface OpenedDocument {
  uuid: string
  user: number
  /** When the place that this browser knows was read. */
  knownAt: number
  /** How far the member ever was, on any device. */
  onFurthest: (page: number) => void
  /** The member has read on elsewhere since. */
  onLater: (place: { page: number; offset: number; isElsewhere: true }) => void
  /** The place on the server is known, or cannot be. */
  onAnswered: () => void
}

/** Returns the end of it. */
export function openDocument({ uuid, user, knownAt, onFurthest, onLater, onAnswered }: OpenedDocument): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const isClosed = new AbortController()
  const open = async () => {
    await sendPlacesOfVisitor(user)
    const { page, page_offset, furthest_page, read_at } = await api(reading.progress, { uuid })
    if (isClosed.signal.aborted) return
    onFurthest(furthest_page)
    if (read_at !== null && read_at > knownAt) onLater({ page, offset: page_offset, isElsewhere: true })
    if (page === 0) timer = setTimeout(() => recordFirst(uuid, user), openedMs)
  }
  void open()
    .catch(() => undefined)
    .finally(onAnswered)
  return () => {
    isClosed.abort()
    clearTimeout(timer)
    void send()
  }
}

export function recordPlace({ uuid, page, at, user }: Omit<UnsentPlace, 'offset' | 'furthest'>): void {
  recorded.add(uuid)
  store(addUnsent(readUnsent(local.read(unsentKey)), { uuid, page, furthest: page, at, user, offset: offsetIn(page) }))
  timer ??= setTimeout(() => void send(), throttleMs)
}

/** Scrolls on from the top of a page to where the member was. */
export function scrollIntoPage(page: number, offset: number): void {
  requestAnimationFrame(() => {
    const height = boxOf(page)?.getBoundingClientRect().height ?? 0
    const scroller = boxOf(page)?.closest('.overflow-y-auto') ?? document.scrollingElement
    scroller?.scrollBy({ top: (height * offset) / 1000, behavior: 'instant' })
  })
}

/** What a visitor read in this browser belongs to the member who logs in. */
export async function sendPlacesOfVisitor(user: number): Promise<void> {
  const positions = readPositions(local.read(positionsKey))
  const isOfVisitor = ([, , at, owner]: Position) => owner === 0 && at > 0
  for (const [uuid, page, at, , furthest] of positions.filter(isOfVisitor))
    store(addUnsent(readUnsent(local.read(unsentKey)), { uuid, page, furthest, at, user, offset: 0 }))
  const taken = positions.map((position): Position =>
    isOfVisitor(position) ? [position[0], position[1], position[2], user, position[4]] : position,
  )
  local.write(positionsKey, JSON.stringify(taken))
  await send()
}

const recorded = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined

/** A document of which only the beginning was read is part of the history too. */
function recordFirst(uuid: string, user: number): void {
  if (!recorded.has(uuid)) recordPlace({ uuid, page: 1, at: Date.now(), user })
}

/** Those that could not be sent are sent with the next. */
async function send(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  const user = currentSession().user.id
  const places = readUnsent(local.read(unsentKey)).filter((place) => place.user === user)
  if (places.length === 0 || user === 0) return
  try {
    await persistentApi(reading.save, {
      place: places.map(({ uuid, page, offset, furthest, at }) => ({
        uuid,
        page,
        page_offset: offset,
        furthest_page: furthest,
        read_at: at,
      })),
    })
    store(withoutSent(readUnsent(local.read(unsentKey)), places))
    sentPlaces.set(sentPlaces.get() + 1)
  } catch {
    // Offline.
  }
}

function store(places: readonly UnsentPlace[]): void {
  local.write(unsentKey, JSON.stringify(places))
}

/** The browser finishes these requests when the page is left; a beacon could not carry the session. */
const persistentApi = client({
  fetch(request) {
    const keys = shareKeys()
    if (keys !== '') request.headers.set(shareKeyHeader, keys)
    return fetch(new Request(request, { keepalive: true }))
  },
  origin: apiBase(),
  token: () => currentSession().token,
})

/** In thousandths of the page's height. */
function offsetIn(page: number): number {
  const box = boxOf(page)?.getBoundingClientRect()
  if (!box || box.height === 0) return 0
  const bar = document.querySelector('[data-reader-bar]')?.getBoundingClientRect()
  const top = bar && bar.top < window.innerHeight / 2 ? bar.bottom : 0
  return Math.round(Math.min(1, Math.max(0, (top - box.top) / box.height)) * 1000)
}

/** Null in the text view, whose pages have no boxes: its places are whole pages. */
function boxOf(page: number): Element | null {
  return document.querySelector(`figure[data-page="${page}"]`)
}

window.addEventListener('pagehide', () => void send())
window.addEventListener('online', () => void send())
document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && void send())
