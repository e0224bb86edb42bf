import { createContext } from 'react'

/** The id of the row that the surrounding form edits; undefined while it creates a new one. */
export const EditedRowId = createContext<number | undefined>(undefined)
