import { secondFactor } from '#shared/contract/account-security.ts'
import type { Reply } from '#shared/endpoint.ts'
import { api } from '#web/lib/api.ts'
import { createStore, useStore } from '#web/lib/store.ts'
import { type QueryResult, useQuery } from '#web/lib/use-query.ts'

export type SecurityStatus = Reply<typeof secondFactor.get>

/** Several cards show parts of the status: a change in one shows in all. */
const changes = createStore(() => 0)

export function useSecurityStatus(): QueryResult<SecurityStatus> {
  return useQuery(useStore(changes, 0), () => api(secondFactor.get))
}

export function securityChanged(): void {
  changes.set(changes.get() + 1)
}
