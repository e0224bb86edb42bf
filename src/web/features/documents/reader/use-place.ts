import { useEffect, useState } from 'react'
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
  const isHydrated = useHydrated()
  const [last] = useState(() => (isBrowser() ? placeIn(local.read(key), uuid) : 1))
  const [isDismissed, setIsDismissed] = useState(false)
  const [moved, setMoved] = useState(false)
  if (current > 1 && !moved) setMoved(true)
  useEffect(() => {
    if (!moved) return undefined
    const timer = setTimeout(() => {
      local.write(key, withPlace(local.read(key), uuid, current))
      noteInAddress(current)
    }, 500)
    return () => clearTimeout(timer)
  }, [uuid, current, moved])
  const isOffered = isHydrated && !isDismissed && !moved && start === 1 && last > 1 && last <= preview
  return { offered: isOffered ? last : undefined, dismiss: () => setIsDismissed(true) }
}

/** So that loading anew and coming back lead here. The router need not know: nothing on the page changes by it. */
function noteInAddress(page: number): void {
  const url = new URL(location.href)
  if (page > 1) url.searchParams.set('page', String(page))
  else url.searchParams.delete('page')
  if (url.href !== location.href) history.replaceState(history.state, '', url)
}

function isBrowser(): boolean {
  return typeof window !== 'undefined'
}
