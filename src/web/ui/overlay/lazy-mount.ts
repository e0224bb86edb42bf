import { useState } from 'react'

/** Whether to mount a lazy dialog: from when it first opens, and then on, for the closing animation. */
export function useLazyMount(open: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(open)
  if (open && !wasOpen) setWasOpen(true)
  return wasOpen
}
