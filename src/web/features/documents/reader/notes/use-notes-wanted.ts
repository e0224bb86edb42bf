import { useEffect, useState, type RefObject } from 'react'
import { isSignedIn, useSession } from '#web/lib/session.ts'

/** Members have notes; visitors load what marks text when they select some. */
export function useNotesWanted(column: RefObject<HTMLElement | null>): boolean {
  const isMember = isSignedIn(useSession())
  const [isWanted, setIsWanted] = useState(false)
  useEffect(() => {
    const text = column.current
    const want = () => setIsWanted(true)
    text?.addEventListener('selectstart', want, { once: true })
    return () => text?.removeEventListener('selectstart', want)
  }, [column])
  return isMember || isWanted
}
