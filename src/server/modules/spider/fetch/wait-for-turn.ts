import { setTimeout } from 'node:timers/promises'
import type { Ctx } from '#server/context.ts'
import { FetchRefusal } from './failures.ts'
import { nextTurn } from './hosts.ts'

interface WaitOptions {
  /** To the request after this one. */
  delayMs: number
  signal?: AbortSignal | undefined
}

/** Waits until the origin may be requested. Throws `FetchRefusal` when that is not soon. */
export async function waitForTurn(ctx: Ctx, origin: string, { delayMs, signal }: WaitOptions): Promise<void> {
  const { at, isReserved } = await nextTurn(ctx, origin, delayMs)
  if (!isReserved) throw new FetchRefusal('waiting', '', at)
  const waitMs = at - ctx.now()
  if (waitMs > 0) await setTimeout(waitMs, undefined, signal && { signal })
}
