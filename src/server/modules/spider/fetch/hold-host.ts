import type { Ctx } from '#server/context.ts'
import { extendHost, type HostLease, isHeld } from './hosts.ts'

interface HeldHost {
  /** Its transactions are undone when another worker has the host at their end. */
  ctx: Ctx
  /** Aborted when another worker has the host. */
  lost: AbortSignal
  end(): void
}

const extendEveryMs = 15_000

/** Extends the lease of a host for as long as the work on it takes, also while nothing is requested. */
export function holdHost(ctx: Ctx, lease: HostLease): HeldHost {
  const lost = new AbortController()
  const extend = async () => {
    try {
      if (!(await extendHost(ctx, lease))) lost.abort()
    } catch (error) {
      ctx.log.warn({ error }, 'lease of a crawled host not extended')
    }
  }
  const timer = setInterval(() => void extend(), extendEveryMs)
  return {
    ctx: {
      ...ctx,
      // A process that stood still for a minute may have lost the host before the timer can tell.
      async beforeCommit(inner) {
        if (!(await isHeld(inner, lease))) lost.abort()
        lost.signal.throwIfAborted()
        return ctx.beforeCommit?.(inner)
      },
    },
    lost: lost.signal,
    end: () => clearInterval(timer),
  }
}
