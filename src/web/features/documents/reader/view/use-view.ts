import { useCallback, useState } from 'react'
import { useLocation } from 'react-router'
import { replaceQueryParam } from '#web/features/documents/reader/position/replace-query.ts'
import {
  readChosenView,
  standardView,
  storeChosenView,
  viewOfPage,
  type Readable,
  type ReaderView,
} from '#web/features/documents/reader/view/view-memory.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { phoneQuery } from '#web/lib/browser/media-query.ts'

interface ViewOptions {
  document: Readable
  /** From the address. */
  requested: ReaderView | undefined
  /** The page of the address. */
  start: number
  /** Words to search for: they are marked on the pages. */
  find: string
}

/** The view that is shown: the chosen one, else what the address asks for, else that of the last document in this browser, else the standard one. */
export function useView({ document, requested, start, find }: ViewOptions) {
  const { pathname } = useLocation()
  const isHydrated = useHydrated()
  const [chosen, setChosen] = useState<ReaderView>()
  const [last] = useState(() => (typeof window === 'undefined' || find !== '' ? undefined : readChosenView(document)))
  // Asked once: turning the phone changes no view. Words that are searched for are marked on the pages.
  const [isOnPhone] = useState(() => typeof window !== 'undefined' && find === '' && matchMedia(phoneQuery).matches)
  const standard = standardView(document, isHydrated && isOnPhone)
  const choose = useCallback(
    (view: ReaderView) => {
      setChosen(view)
      storeChosenView(document, view)
      replaceQueryParam(pathname, 'view', view === standard ? '' : view)
      // An address with a page would show the pages when it is opened again.
      if (view === 'table') replaceQueryParam(pathname, 'page', '')
    },
    [document, pathname, standard],
  )
  const asked = requested ?? viewOfPage(document, start)
  return [chosen ?? asked ?? (isHydrated ? last : undefined) ?? standard, choose] as const
}
