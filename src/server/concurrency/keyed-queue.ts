/** Runs tasks with the same key one at a time, in the order they were added; tasks with other keys run beside them. */
export interface KeyedQueue {
  runForKey<T>(key: number, task: () => Promise<T>): Promise<T>
  /** Runs after all tasks that were added before it, and before all that are added later. */
  runExclusive<T>(task: () => Promise<T>): Promise<T>
}

/** At most `concurrency` tasks run at a time; keys that share a remainder share a queue. */
export function keyedQueue(concurrency: number): KeyedQueue {
  const tails: Promise<unknown>[] = Array.from({ length: concurrency }, () => Promise.resolve())
  return {
    runForKey(key, task) {
      const queue = key % concurrency
      const result = (tails[queue] ?? Promise.resolve()).then(task)
      tails[queue] = result.catch(() => {})
      return result
    },
    runExclusive(task) {
      const result = Promise.all(tails).then(task)
      void tails.fill(result.catch(() => {}))
      return result
    },
  }
}
