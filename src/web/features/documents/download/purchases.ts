import { useEffect, useSyncExternalStore } from 'react'
import { downloads } from '#shared/contract/downloads.ts'
import { api } from '#web/lib/api.ts'
import { currentSession } from '#web/lib/session.ts'
import { createStore } from '#web/lib/store.ts'

/** Which of the documents on the page the member has bought: asked for in one request for all of a list. */
const store = createStore<ReadonlyMap<string, boolean>>(() => new Map())
let waiting = new Set<string>()

export function useIsBought(uuid: string): boolean {
  const userId = currentSession().user.id
  useEffect(() => {
    // A document that is not bought yet may have been paid for on another page.
    if (store.get().get(`${userId} ${uuid}`) || userId === 0) return
    if (waiting.size === 0) queueMicrotask(() => void load(userId))
    waiting.add(uuid)
  }, [uuid, userId])
  return useSyncExternalStore(
    store.subscribe,
    () => store.get().get(`${userId} ${uuid}`) ?? false,
    () => false,
  )
}

/** After a purchase: what is shown is asked for again. */
export function refreshPurchases(): void {
  const userId = currentSession().user.id
  const prefix = `${userId} `
  const known = [...store.get().keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
  if (known.length === 0) return
  waiting = new Set([...waiting, ...known])
  void load(userId)
}

async function load(userId: number): Promise<void> {
  const asked = [...waiting]
  waiting = new Set()
  try {
    const { uuid } = await api(downloads.bought, { uuid: asked })
    const known = new Map(store.get())
    for (const each of asked) known.set(`${userId} ${each}`, uuid.includes(each))
    store.set(known)
  } catch {
    // The list shows the price, as to everyone.
  }
}
