import { useEffect, useEffectEvent } from 'react'
import type { FollowTarget } from '#shared/collections.ts'
import { perTab } from '#web/lib/browser/storage.ts'

/**
 * What a visitor asked for when the login page came between. For this tab alone, as the way back may lead through another
 * site; and for a while, so that nothing happens unasked on a later visit.
 */

export type Intent =
  | 'download'
  | 'buy'
  | 'favorite'
  | 'report'
  | 'score'
  | 'comment'
  | 'collect'
  | 'notes'
  | 'mark'
  | `follow ${FollowTarget}`

const key = 'asked-for'
const validMs = 30 * 60_000

/** `why` is what the login page says; `path` is where the login leads back to. */
export function saveIntent(asked: Intent, id: number, { path, why }: { path: string; why: string }): void {
  perTab.write(key, [`${asked} ${id}`, path, why, Date.now()].join('\n'))
}

/** Whether this was asked for. Only one caller gets it. */
export function takeIntent(asked: Intent, id: number): boolean {
  const isAsked = read()[0] === `${asked} ${id}`
  if (isAsked) perTab.remove(key)
  return isAsked
}

/** Goes on with what was asked for, once the member is known. */
export function useIntent(isKnown: boolean, asked: Intent, id: number, goOn: () => void): void {
  const onAsked = useEffectEvent(goOn)
  useEffect(() => {
    if (isKnown && takeIntent(asked, id)) onAsked()
  }, [isKnown, asked, id])
}

/** Why the visitor is on the login page, which leads back to `path`; empty if nothing was asked for. */
export function findReason(path: string): string {
  const [, asked, why = ''] = read()
  return asked === path ? why : ''
}

function read(): string[] {
  const lines = perTab.read(key)?.split('\n') ?? []
  return Date.now() - Number(lines[3]) < validMs ? lines : []
}
