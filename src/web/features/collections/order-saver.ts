/**
 * Saves the orders of a list one after the other: while one is being saved, only the newest of those that came since is
 * kept for the next request. `onFailed` gets the last order that was saved; it is not called for an order that a newer
 * one has already replaced.
 */
export function createOrderSaver<T>(saved: T, save: (order: T) => Promise<void>, onFailed: Failed<T>) {
  let last = saved
  let waiting: { order: T } | undefined
  let isSaving = false

  const run = async () => {
    isSaving = true
    while (waiting) {
      const { order } = waiting
      waiting = undefined
      try {
        await save(order)
        last = order
      } catch (error) {
        if (!waiting) onFailed(error, last)
      }
    }
    isSaving = false
  }

  return async (order: T): Promise<void> => {
    waiting = { order }
    if (!isSaving) await run()
  }
}

type Failed<T> = (error: unknown, saved: T) => void
