import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { noteInAddress } from '#web/features/documents/reader/address.ts'
import { placeIn, withPlace } from '#web/features/documents/reader/places.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { local } from '#web/lib/storage.ts'

const key = 'wendou-places'

/** Remembers how far one has read, here and in the address, and offers to go on from there the next time. */
export function usePlace({
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
  const [last] = useState(() => (isBrowser() ? placeIn(local.read(key), uuid) : 1))
  const [isDismissed, setIsDismissed] = useState(false)
  const [moved, setMoved] = useState(false)
  if (current > 1 && !moved) setMoved(true)
  useEffect(() => {
    if (!moved) return undefined
    const timer = setTimeout(() => {
      local.write(key, withPlace(local.read(key), uuid, current))
      noteInAddress(pathname, 'page', current > 1 ? String(current) : '')
    }, 500)
    return () => clearTimeout(timer)
  }, [uuid, pathname, current, moved])
  const isOffered = isHydrated && !isDismissed && !moved && start === 1 && last > 1 && last <= preview
  return { offered: isOffered ? last : undefined, dismiss: () => setIsDismissed(true) }
}

function isBrowser(): boolean {
  return typeof window !== 'undefined'
}
