import { ApiError } from '#shared/errors.ts'

/** In the browser a list that does not come leaves the page and its filters standing, with an offer to try again. */
export async function readList<T>(read: Promise<T>, none: T): Promise<T & { problem: string }> {
  try {
    return { ...(await read), problem: '' }
  } catch (error) {
    const isPassing = error instanceof ApiError && (error.status === 0 || error.status >= 500)
    if (import.meta.env.SSR || !isPassing) throw error
    return { ...none, problem: error.message }
  }
}
