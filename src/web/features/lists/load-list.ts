import { ApiError, networkFailure } from '#shared/errors.ts'

/** In the browser a transient failure leaves the page and its filters in place, with the message and a retry. */
export async function loadList<T>(request: Promise<T>, empty: T): Promise<T & { problem: string }> {
  try {
    return { ...(await request), problem: '' }
  } catch (error) {
    const isTransient = error instanceof ApiError && (error.status === networkFailure || error.status >= 500)
    if (import.meta.env.SSR || !isTransient) throw error
    return { ...empty, problem: error.message }
  }
}
