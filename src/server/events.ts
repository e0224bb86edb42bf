import type { Logger } from './log.ts'

/** What happened, for whoever wants to know. Delivered after the commit; a listener that fails harms nobody else. */
export interface Events {
  'job.waiting': Record<string, never>
  'settings.changed': { groups: string[] }
  'site.changed': Record<string, never>
  'user.registered': { id: number }
  'user.changed': { id: number }
  /** Made, changed, moved to another state, deleted or restored: what lists and pages show is out of date. */
  'document.changed': { ids: number[] }
  /** A conversion went on: the documents with this content have something new to show. */
  'rendition.changed': { hash: string }
  /** Made, changed, reviewed, deleted or restored. */
  'article.changed': { ids: number[] }
  'search.answered': Searched
  /** A content has its pages, or will have none. */
  'conversion.ended': { failed: boolean }
  /** A person looked at a page. */
  'page.viewed': { network: string; userAgent: string }
}

/** What somebody looked for, and what was found. */
export interface Searched {
  /** 0 documents, 1 articles. */
  type: 0 | 1
  words: string
  total: number
  page: number
  ms: number
  viewer: number
  ip: string
  network: string
  userAgent: string
}

export type EventName = keyof Events
export type Emit = <E extends EventName>(name: E, payload: Events[E]) => void

export interface EventBus {
  emit: Emit
  on<E extends EventName>(name: E, listener: (payload: Events[E]) => void | Promise<void>): void
}

type Listener = (payload: never) => void | Promise<void>

export function eventBus(log: Logger): EventBus {
  const listeners = new Map<EventName, Listener[]>()
  return {
    on(name, listener) {
      listeners.set(name, [...(listeners.get(name) ?? []), listener])
    },
    emit(name, payload) {
      for (const listener of listeners.get(name) ?? []) {
        Promise.try(listener, payload as never).catch((error: unknown) =>
          log.error({ event: name, error }, 'listener failed'),
        )
      }
    },
  }
}
