import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'react-router'
import { replaceQueryParam } from '#web/features/documents/reader/position/replace-query.ts'
import {
  findPosition,
  positionsKey as key,
  withPosition,
} from '#web/features/documents/reader/position/reading-positions.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { local } from '#web/lib/browser/storage.ts'
import { useSession } from '#web/lib/session.ts'

const debounceMs = 500

/** For members alone: keeps their place on the server. */
const loadSync = () => import('#web/features/documents/reader/position/synced-positions.ts')

interface LastPosition {
  page: number
  offset?: number
  /** Read on another device since. */
  isElsewhere?: boolean
}

/** Keeps the current page in the browser, in the address and for members on the server, and offers to continue there. */
export function useReadingPosition({
  uuid,
  current,
  start,
  preview,
}: {
  uuid: string
  current: number
  start: number
  preview: number
}) {
  const { pathname } = useLocation()
  const isHydrated = useHydrated()
  const user = useSession().user.id
  const [elsewhere, setElsewhere] = useState<LastPosition>()
  const [stored] = useState(() => (isBrowser() ? local.read(key) : null))
  const [isDismissed, setIsDismissed] = useState(false)
  const [hasMoved, setHasMoved] = useState(false)
  if (current > 1 && !hasMoved) setHasMoved(true)
  const own = findPosition(stored, uuid, user)
  const last: LastPosition = elsewhere ?? { page: own?.[1] ?? 1 }
  const knownAt = useEffectEvent(() => own?.[2] ?? 0)
  useEffect(() => {
    if (user === 0) return undefined
    const opening = loadSync()
      .then(({ openDocument }) => openDocument({ uuid, user, knownAt: knownAt(), onLater: setElsewhere }))
      .catch(() => undefined)
    return () => void opening.then((close) => close?.())
  }, [uuid, user])
  useEffect(() => {
    if (!hasMoved) return undefined
    const timer = setTimeout(() => {
      const at = Date.now()
      local.write(key, withPosition(local.read(key), [uuid, current, at, user]))
      replaceQueryParam(pathname, 'page', current > 1 ? String(current) : '')
      if (user > 0)
        void loadSync()
          .then(({ recordPlace }) => recordPlace({ uuid, page: current, at, user }))
          .catch(() => undefined)
    }, debounceMs)
    return () => clearTimeout(timer)
  }, [uuid, user, pathname, current, hasMoved])
  const isOffered = isHydrated && !isDismissed && !hasMoved && start === 1 && last.page > 1 && last.page <= preview
  return {
    offered: isOffered ? last.page : undefined,
    isElsewhere: last.isElsewhere,
    dismiss: () => setIsDismissed(true),
    resume(goTo: (page: number) => void) {
      setIsDismissed(true)
      goTo(last.page)
      if (last.offset)
        void loadSync()
          .then(({ scrollIntoPage }) => scrollIntoPage(last.page, last.offset ?? 0))
          .catch(() => undefined)
    },
  }
}

function isBrowser(): boolean {
  return typeof window !== 'undefined'
}
