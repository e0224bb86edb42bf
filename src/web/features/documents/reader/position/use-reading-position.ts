import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { replaceQueryParam } from '#web/features/documents/reader/position/replace-query.ts'
import { findPosition, withPosition } from '#web/features/documents/reader/position/reading-positions.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { local } from '#web/lib/browser/storage.ts'

const key = 'wendou-places'
const debounceMs = 500

/** Stores the current page in the browser and in the address, and offers to continue there the next time. */
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
  const [last] = useState(() => (isBrowser() ? findPosition(local.read(key), uuid) : 1))
  const [isDismissed, setIsDismissed] = useState(false)
  const [hasMoved, setHasMoved] = useState(false)
  if (current > 1 && !hasMoved) setHasMoved(true)
  useEffect(() => {
    if (!hasMoved) return undefined
    const timer = setTimeout(() => {
      local.write(key, withPosition(local.read(key), uuid, current))
      replaceQueryParam(pathname, 'page', current > 1 ? String(current) : '')
    }, debounceMs)
    return () => clearTimeout(timer)
  }, [uuid, pathname, current, hasMoved])
  const isOffered = isHydrated && !isDismissed && !hasMoved && start === 1 && last > 1 && last <= preview
  return { offered: isOffered ? last : undefined, dismiss: () => setIsDismissed(true) }
}

function isBrowser(): boolean {
  return typeof window !== 'undefined'
}
