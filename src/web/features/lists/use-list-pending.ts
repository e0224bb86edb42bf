import { useEffect, useState } from 'react'
import { useLocation, useNavigation } from 'react-router'

const delayMs = 150

/** Whether another page of the same list has been loading for long enough to show a skeleton. */
export function useListPending(): boolean {
  const { pathname } = useLocation()
  const { location } = useNavigation()
  const isLoading = location !== undefined && listOf(location.pathname) === listOf(pathname)
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    if (!isLoading) return undefined
    const timer = setTimeout(() => setIsSlow(true), delayMs)
    return () => {
      clearTimeout(timer)
      setIsSlow(false)
    }
  }, [isLoading])
  return isLoading && isSlow
}

/** All categories are one list. */
function listOf(pathname: string): string {
  return pathname.startsWith('/category') ? '/category' : pathname
}
