import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { useLocation } from 'react-router'
import { replaceQueryParam } from '#web/features/documents/reader/position/replace-query.ts'
import {
  findPosition,
  positionsKey as key,
  withPosition,
} from '#web/features/documents/reader/position/reading-positions.ts'
import { nextVisit, waitBeforeKeeping, type Visit } from '#web/features/documents/reader/position/visit.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { local } from '#web/lib/browser/storage.ts'
import { useSession } from '#web/lib/session.ts'

const debounceMs = 500
/** How often it is looked whether a reader who left the document for the comments is back. */
const lookMs = 1000
/** How long the server is waited for: without a network reading is kept all the same. */
const answerMs = 10_000
/** A page so much further than the place is worth an offer of its own. */
const worthOffering = 3

/** For members alone: keeps their place on the server. */
const loadSync = () => import('#web/features/documents/reader/position/synced-positions.ts')

interface LastPosition {
  page: number
  offset?: number
  /** Read on another device since. */
  isElsewhere?: boolean
}

/**
 * Keeps the current page in the address, and in the browser and for members on the server the page where the reader
 * stayed and the furthest one (visit.ts); offers to continue there.
 */
export function useReadingPosition({
  uuid,
  column,
  current,
  start,
  preview,
}: {
  uuid: string
  /** The column that is read: beside it, above and below it the reader does not read on. */
  column: RefObject<HTMLElement | null>
  current: number
  start: number
  preview: number
}) {
  const { pathname } = useLocation()
  const isHydrated = useHydrated()
  const user = useSession().user.id
  const [elsewhere, setElsewhere] = useState<LastPosition>()
  const [furthestElsewhere, setFurthestElsewhere] = useState(0)
  const [stored] = useState(() => (isBrowser() ? local.read(key) : null))
  const [isDismissed, setIsDismissed] = useState(false)
  const [hasMoved, setHasMoved] = useState(false)
  if (current > 1 && !hasMoved) setHasMoved(true)
  const own = findPosition(stored, uuid, user)
  const last: LastPosition = elsewhere ?? { page: own?.[1] ?? 1 }
  const furthest = Math.max(furthestElsewhere, own?.[4] ?? 0)
  const knownAt = useEffectEvent(() => own?.[2] ?? 0)
  /** Until when nothing is kept: another device may know a place that must not be lost. */
  const keepsAfter = useRef(0)
  useEffect(() => {
    keepsAfter.current = user === 0 ? 0 : Date.now() + answerMs
    if (user === 0) return undefined
    const opening = loadSync()
      .then(({ openDocument }) =>
        openDocument({
          uuid,
          user,
          knownAt: knownAt(),
          onFurthest: setFurthestElsewhere,
          onLater: setElsewhere,
          onAnswered: () => (keepsAfter.current = 0),
        }),
      )
      .catch(() => undefined)
    return () => void opening.then((close) => close?.())
  }, [uuid, user])
  const visit = useRef<Visit>(undefined)
  /** Undefined until this visit has replaced the place of the last one. */
  const kept = useRef<number>(undefined)
  const keep = useEffectEvent((page: number) => {
    const at = Date.now()
    kept.current = page
    local.write(key, withPosition(local.read(key), [uuid, page, at, user]))
    if (user > 0)
      void loadSync()
        .then(({ recordPlace }) => recordPlace({ uuid, page, at, user }))
        .catch(() => undefined)
  })
  const waitFor = useEffectEvent((visited: Visit) => waitBeforeKeeping(kept.current ?? last.page, visited, Date.now()))
  useEffect(() => {
    if (!hasMoved) return undefined
    let timer = setTimeout(() => {
      replaceQueryParam(pathname, 'page', current > 1 ? String(current) : '')
      const visited = (visit.current = nextVisit(visit.current, current, Date.now()))
      const later = (ms: number) => (timer = setTimeout(look, ms))
      const look = () => {
        const wait = waitFor(visited)
        if (wait === undefined) return
        if (wait > 0) later(wait)
        else if (isInSight(column.current) && Date.now() >= keepsAfter.current) keep(current)
        else later(lookMs)
      }
      look()
    }, debounceMs)
    return () => clearTimeout(timer)
  }, [pathname, column, current, hasMoved])
  const mayOffer = isHydrated && !isDismissed && !hasMoved && start === 1
  const isWithin = (page: number) => page > 1 && page <= preview
  return {
    offered: mayOffer && isWithin(last.page) ? last.page : undefined,
    /** Beside the place, if it is much further. */
    furthest: mayOffer && isWithin(furthest) && furthest > last.page + worthOffering ? furthest : undefined,
    isElsewhere: last.isElsewhere,
    dismiss: () => setIsDismissed(true),
    resume(goTo: (page: number) => void, page: number) {
      setIsDismissed(true)
      goTo(page)
      if (page === last.page && last.offset)
        void loadSync()
          .then(({ scrollIntoPage }) => scrollIntoPage(page, last.offset ?? 0))
          .catch(() => undefined)
    },
  }
}

/** Whether the text stands in the middle of the window. */
function isInSight(text: HTMLElement | null): boolean {
  const { top = 0, bottom = 0 } = text?.getBoundingClientRect() ?? {}
  return top < window.innerHeight * 0.75 && bottom > window.innerHeight * 0.25
}

function isBrowser(): boolean {
  return typeof window !== 'undefined'
}
