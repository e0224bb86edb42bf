import { useCallback, useState } from 'react'
import { useLocation } from 'react-router'

/** Open state that ends with the page: any navigation closes it, and going back does not open it again. */
export function useOpenOnThisPage(): [open: boolean, setOpen: (open: boolean) => void] {
  const { key } = useLocation()
  const [state, setState] = useState({ key, open: false })
  if (state.key !== key) setState({ key, open: false })
  // A delayed change of an earlier page is ignored.
  const setOpen = useCallback(
    (open: boolean) => setState((before) => (before.key === key ? { key, open } : before)),
    [key],
  )
  return [state.open && state.key === key, setOpen]
}
