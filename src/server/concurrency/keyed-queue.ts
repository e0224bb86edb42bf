/** Works of the same entry come one after another, in the order they were asked for; others beside them. */
export interface Lanes {
  inTurn<T>(row: number, work: () => Promise<T>): Promise<T>
  /** After all that was asked for before, and before all that is asked for later. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

export function openLanes(count: number): Lanes {
  const lanes: Promise<unknown>[] = Array.from({ length: count }, () => Promise.resolve())
  return {
    inTurn(row, work) {
      const lane = row % count
      const done = (lanes[lane] ?? Promise.resolve()).then(work)
      lanes[lane] = done.catch(() => {})
      return done
    },
    alone(work) {
      const done = Promise.all(lanes).then(work)
      void lanes.fill(done.catch(() => {}))
      return done
    },
  }
}
