import { useSyncExternalStore } from 'react'
import { local } from '#web/lib/storage.ts'

/** What this browser has looked for lately, the latest first. */

const key = 'wendou-searches'
const most = 8

const listeners = new Set<() => void>()
const nothing: string[] = []
let last: { stored: string | null; words: string[] } = { stored: null, words: nothing }

export function useRecentWords(): string[] {
  return useSyncExternalStore(subscribe, recentWords, () => nothing)
}

export function noteWords(words: string): void {
  if (words === '') return
  local.write(key, JSON.stringify(withWords(recentWords(), words)))
  for (const listener of listeners) listener()
}

export function forgetWords(): void {
  local.remove(key)
  for (const listener of listeners) listener()
}

export function withWords(recent: readonly string[], words: string): string[] {
  const isSame = (one: string) => one.toLowerCase() === words.toLowerCase()
  return [words, ...recent.filter((one) => !isSame(one))].slice(0, most)
}

/** The storage belongs to the visitor: anything may stand in it. */
export function parsed(stored: string | null): string[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(list) ? list.filter((word) => typeof word === 'string' && word !== '').slice(0, most) : []
  } catch {
    return []
  }
}

function recentWords(): string[] {
  const stored = local.read(key)
  if (stored !== last.stored) last = { stored, words: parsed(stored) }
  return last.words
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
