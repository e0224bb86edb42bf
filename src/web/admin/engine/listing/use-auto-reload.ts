import { useEffect, useEffectEvent, useRef } from 'react'
import { useRevalidator } from 'react-router'
import type { Listing } from '#web/admin/engine/listing/listing.ts'
import type { Resource } from '#web/admin/resource.ts'

const intervalMs = 3000
/** After a failed request. */
const retryMs = 10_000

/** Loads the list again and again while something in it goes on by itself and the page is visible. */
export function useAutoReload({ isChanging }: Resource, listing: Listing): void {
  const { revalidate } = useRevalidator()
  // A list that could not be loaded does not tell; then the last one holds.
  const wasChanging = useRef(false)
  const decide = useEffectEvent(({ reply, error }: Listing) => {
    if (error === undefined) wasChanging.current = isChanging?.(reply) ?? false
    return wasChanging.current
  })
  const reload = useEffectEvent(() => void revalidate())
  useEffect(() => {
    if (!decide(listing)) return undefined
    let timer: number | undefined
    const schedule = () => {
      clearTimeout(timer)
      if (document.visibilityState !== 'visible') return
      timer = window.setTimeout(() => reload(), listing.error === undefined ? intervalMs : retryMs)
    }
    schedule()
    document.addEventListener('visibilitychange', schedule)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', schedule)
    }
  }, [listing])
}
