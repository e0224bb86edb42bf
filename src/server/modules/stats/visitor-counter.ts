interface Limits {
  /** Of one network in a day: a school has many visitors, and anyone can send many user agents. */
  visitorsPerNetwork: number
  viewsPerNetwork: number
  /** Of all networks in a day, by this process: bounds the memory. */
  visitors: number
}

/** What a page view counts for. */
interface CountedView {
  view: boolean
  /** A visitor who has not been counted today. */
  visitor: boolean
}

export interface VisitorCounter {
  count(network: string, visitorHash: string): CountedView
}

const defaults: Limits = { visitorsPerNetwork: 50, viewsPerNetwork: 10_000, visitors: 200_000 }

/** Counts the visitors of one day, within limits that keep one network from inflating the figures. */
export function openVisitorCounter(limits: Limits = defaults): VisitorCounter {
  const hashes = new Set<string>()
  const networks = new Map<string, { views: number; visitors: number }>()
  return {
    count(network, visitorHash) {
      const isFull = hashes.size >= limits.visitors
      const counts = networks.get(network) ?? { views: 0, visitors: 0 }
      if (!isFull) networks.set(network, counts)
      if (counts.views >= limits.viewsPerNetwork) return { view: false, visitor: false }
      counts.views += 1
      const isNew = !hashes.has(visitorHash) && !isFull && counts.visitors < limits.visitorsPerNetwork
      if (isNew) {
        hashes.add(visitorHash)
        counts.visitors += 1
      }
      return { view: true, visitor: isNew }
    },
  }
}
