import { createContext, useContext } from 'react'

/** The server's mark on its own inline scripts; the browser never sees it. */
export const NonceContext = createContext<string | undefined>(undefined)

export function useNonce(): string | undefined {
  return useContext(NonceContext)
}
