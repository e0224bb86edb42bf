import { createContext } from 'react'

/** Which row the form around a control changes; none while it makes a new one. */
export const EditedRow = createContext<number | undefined>(undefined)
