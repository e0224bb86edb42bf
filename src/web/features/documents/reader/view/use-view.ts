import { useCallback, useState } from 'react'
import { useLocation } from 'react-router'
import type { DocumentView } from '#shared/contract/documents.ts'
import { replaceQueryParam } from '#web/features/documents/reader/position/replace-query.ts'
import {
  readChosenView,
  standardView,
  storeChosenView,
  viewOfPage,
  type ReaderView,
} from '#web/features/documents/reader/view/view-memory.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'

interface ViewOptions {
  views: readonly DocumentView[]
  /** From the address. */
  requested: ReaderView | undefined
  /** The page of the address. */
  start: number
  /** Words to search for: they are marked on the pages. */
  find: string
}

/** The view that is shown: the chosen one, else what the address asks for, else that of the last document in this browser, else the standard one. */
export function useView({ views, requested, start, find }: ViewOptions) {
  const { pathname } = useLocation()
  const isHydrated = useHydrated()
  const [chosen, setChosen] = useState<ReaderView>()
  const [last] = useState(() => (typeof window === 'undefined' || find !== '' ? undefined : readChosenView(views)))
  const standard = standardView(views)
  const choose = useCallback(
    (view: ReaderView) => {
      setChosen(view)
      storeChosenView(views, view)
      replaceQueryParam(pathname, 'view', view === standard ? '' : view)
      // An address with a page would show the pages when it is opened again.
      if (view === 'table') replaceQueryParam(pathname, 'page', '')
    },
    [views, pathname, standard],
  )
  const asked = requested ?? viewOfPage(views, start)
  return [chosen ?? asked ?? (isHydrated ? last : undefined) ?? standard, choose] as const
}
