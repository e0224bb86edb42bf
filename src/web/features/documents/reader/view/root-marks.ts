import { useLayoutEffect } from 'react'

/** Marks the document element while something holds: the list of related documents beside the reader gives way (document.tsx). */
export function useRootMark(name: 'data-reader-docked' | 'data-reader-past-first', holds: boolean): void {
  useLayoutEffect(() => {
    const { documentElement: root } = window.document
    root.toggleAttribute(name, holds)
    return () => root.removeAttribute(name)
  }, [name, holds])
}

/** Every view marks it: a reader who reads on is not looking for another document. */
export function usePastFirst(isPastFirst: boolean): void {
  useRootMark('data-reader-past-first', isPastFirst)
}
