interface Limits {
  /** Of one network in a day: a school or an office has many people, and anybody can call themselves by many names. */
  visitorsOfNetwork: number
  viewsOfNetwork: number
  /** Of all together in a day, by this process: what is remembered and written has an end. */
  visitors: number
}

/** What a look at a page counts for. */
interface Counted {
  view: boolean
  /** Somebody who is not known to have been here today. */
  visitor: boolean
}

interface Crowd {
  look(network: string, mark: string): Counted
}

const usual: Limits = { visitorsOfNetwork: 50, viewsOfNetwork: 10_000, visitors: 200_000 }

/** Who came in one day, as far as anybody can be believed. */
export function gatherCrowd(limits: Limits = usual): Crowd {
  const marks = new Set<string>()
  const networks = new Map<string, { views: number; visitors: number }>()
  return {
    look(network, mark) {
      const isFull = marks.size >= limits.visitors
      const known = networks.get(network) ?? { views: 0, visitors: 0 }
      if (!isFull) networks.set(network, known)
      if (known.views >= limits.viewsOfNetwork) return { view: false, visitor: false }
      known.views += 1
      const isNew = !marks.has(mark) && !isFull && known.visitors < limits.visitorsOfNetwork
      if (isNew) {
        marks.add(mark)
        known.visitors += 1
      }
      return { view: true, visitor: isNew }
    },
  }
}
