import { tokenBuckets } from '../api/limits.ts'

export interface RenderBudget {
  /**
   * Reserves about what an answer takes; false while the network has no time left. A reserved answer must be made by
   * `charge`. One that takes longer is charged once it is made, and the network waits longer.
   */
  reserve(network: string, ms: number): boolean
  /** Charges the network for the CPU time that `make` takes, in place of the time that was reserved for it. */
  charge<T>(network: string, reservedMs: number, make: () => Promise<T>): Promise<T>
}

/**
 * Milliseconds of CPU time in which answers are made for a network: some cost a hundred times as much as others, so that
 * a number of answers would bound nothing.
 */
export function openRenderBudget({ msPerSecond, burstMs }: { msPerSecond: number; burstMs: number }): RenderBudget {
  const buckets = tokenBuckets({ perSecond: msPerSecond, burst: burstMs })
  const measure = cpuTimeMeter()
  return {
    reserve: (network, ms) => buckets.take(network, ms),
    async charge(network, reservedMs, make) {
      const { ms, outcome } = await measure(make)
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
