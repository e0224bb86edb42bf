import { local } from '#web/lib/browser/storage.ts'
import type { Site } from '#web/domain/site.ts'

/** The settings and categories of the last visit: a start without the server uses them until they can be loaded. */

const key = 'wendou-site'

export function storeSite(site: Site): void {
  local.write(key, JSON.stringify(site))
}

/** Undefined before the first visit, and after one of another version. */
export function readStoredSite(): Site | undefined {
  try {
    const site: unknown = JSON.parse(local.read(key) ?? '')
    return isSite(site) ? site : undefined
  } catch {
    return undefined
  }
}

function isSite(value: unknown): value is Site {
  return (
    hasAll(value, ['settings', 'navigations', 'categories', 'ads', 'accent', 'year']) &&
    hasAll(value['settings'], ['default_group', 'payment', 'score'])
  )
}

function hasAll<K extends string>(value: unknown, keys: readonly K[]): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && keys.every((key) => key in value)
}
