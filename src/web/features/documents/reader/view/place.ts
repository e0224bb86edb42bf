import type { RefObject } from 'react'

/** What is at the top of the visible area; `offset` is a fraction of the page, from 0 to 1. */
export interface Place {
  page: number
  offset: number
}

/** Written by the view that is shown, so that the next one continues there; undefined until a view has been shown. */
export type PlaceRef = RefObject<Place | undefined>

export function storePlace(ref: PlaceRef, place: Place): void {
  ref.current = place
}
