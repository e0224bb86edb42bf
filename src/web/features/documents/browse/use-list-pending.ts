import { useEffect, useState } from 'react'
import { useLocation, useNavigation } from 'react-router'

const patienceMs = 150

/** Whether another page of the same list has been on its way for long enough to be worth showing. */
export function useListPending(): boolean {
  const { pathname } = useLocation()
  const { location } = useNavigation()
  const isComing = location !== undefined && areaOf(location.pathname) === areaOf(pathname)
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    if (!isComing) return undefined
    const timer = setTimeout(() => setIsSlow(true), patienceMs)
    return () => {
      clearTimeout(timer)
      setIsSlow(false)
    }
  }, [isComing])
  return isComing && isSlow
}

/** Categories are one list with many addresses. */
function areaOf(pathname: string): string {
  return pathname.startsWith('/category') ? '/category' : pathname
}
