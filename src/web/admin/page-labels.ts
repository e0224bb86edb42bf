import { createContext } from 'react'

/** The menu's label of an admin page. Screens cannot import the menu, which lists them. */
export const PageLabels = createContext<(path: string) => string | undefined>(() => undefined)
