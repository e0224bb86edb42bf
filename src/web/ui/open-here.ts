import { useCallback, useState } from 'react'
import { useLocation } from 'react-router'

/** Open or not, for as long as one stays on the page: going elsewhere closes, and coming back does not open again. */
export function useOpenHere(): [open: boolean, turn: (open: boolean) => void] {
  const { key } = useLocation()
  const [state, setState] = useState({ key, open: false })
  if (state.key !== key) setState({ key, open: false })
  // A delayed turn of the page one has left counts no more.
  const turn = useCallback(
    (open: boolean) => setState((before) => (before.key === key ? { key, open } : before)),
    [key],
  )
  return [state.open && state.key === key, turn]
}
