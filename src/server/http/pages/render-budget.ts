import { tokenBuckets } from '../api/limits.ts'

export interface RenderBudget {
  /** Reserves time for a page; false while the network has none left. A reserved page must be rendered by `charge`. */
  reserve(network: string): boolean
  /** Charges the network for the CPU time that `render` takes, in place of the time that was reserved for it. */
  charge<T>(network: string, render: () => Promise<T>): Promise<T>
}

/** About what a page takes. A page that takes longer is charged once it is rendered, and the network waits longer. */
const reservedMs = 50

/**
 * Milliseconds of CPU time in which pages are rendered for a network: some pages cost a hundred times as much as others,
 * so that a number of pages would bound nothing.
 */
export function openRenderBudget({ msPerSecond, burstMs }: { msPerSecond: number; burstMs: number }): RenderBudget {
  const buckets = tokenBuckets({ perSecond: msPerSecond, burst: burstMs })
  const measure = cpuTimeMeter()
  return {
    reserve: (network) => buckets.take(network, reservedMs),
    async charge(network, render) {
      const { ms, outcome } = await measure(render)
      buckets.charge(network, ms - reservedMs)
      return outcome
    },
  }
}

/** Measures asynchronous work in this thread. Pieces that run at the same time share the time that passes meanwhile. */
function cpuTimeMeter() {
  let running = 0
  let measuredAt = 0
  /** What a piece would have been charged that had been running since the start. */
  let total = 0

  const settle = () => {
    const { user, system } = process.threadCpuUsage()
    const now = (user + system) / 1000
    if (running > 0) total += (now - measuredAt) / running
    measuredAt = now
  }

  async function measure<T>(work: () => Promise<T>): Promise<{ ms: number; outcome: Promise<T> }> {
    settle()
    running += 1
    const before = total
    const outcome = work()
    await Promise.allSettled([outcome])
    settle()
    running -= 1
    return { ms: total - before, outcome }
  }
  return measure
}
