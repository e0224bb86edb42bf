import { createContext, useContext } from 'react'

/** The CSP nonce of the server's inline scripts; the browser hides it from scripts. */
export const NonceContext = createContext<string | undefined>(undefined)

export function useNonce(): string | undefined {
  return useContext(NonceContext)
}
