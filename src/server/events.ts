import type { ContentType } from '#shared/enums.ts'
import type { Logger } from './log.ts'

/** In-process events, delivered after the commit, for caches and counters: a listener may miss one. See `durable-events.ts`. */
export interface Events {
  /** Without a kind there may be some of several. */
  'job.waiting': { kind?: string }
  'settings.changed': { groups: string[] }
  'site.changed': Record<string, never>
  /** Created, changed, moved to another status, deleted or restored: what lists and pages show is out of date. */
  'document.changed': { ids: number[] }
  /** A member has uploaded the file of a document. */
  'file.uploaded': { hash: string; ext: string; userId: number }
  /** A conversion made progress: the documents with this content have something new to show. */
  'rendition.changed': { hash: string }
  /** Created, changed, reviewed, deleted or restored. */
  'article.changed': { ids: number[] }
  /** Created, changed, reviewed or deleted, or its items were. */
  'collection.changed': { ids: number[] }
  /** A member has a new notification, or has read or deleted some. */
  'notifications.changed': { userId: number }
  'search.answered': AnsweredSearch
  /** A content has its pages, or its conversion failed. */
  'conversion.ended': { failed: boolean }
  /** By a person, not a bot. */
  'page.viewed': { network: string; userAgent: string }
}

export interface AnsweredSearch {
  type: ContentType
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
  /** Returns the end of listening. */
  on<E extends EventName>(name: E, listener: (payload: Events[E]) => void | Promise<void>): () => void
}

type Listener = (payload: never) => void | Promise<void>

export function eventBus(log: Logger): EventBus {
  const listeners = new Map<EventName, Listener[]>()
  return {
    on(name, listener) {
      listeners.set(name, [...(listeners.get(name) ?? []), listener])
      return () => listeners.set(name, listeners.get(name)?.filter((other) => other !== listener) ?? [])
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
