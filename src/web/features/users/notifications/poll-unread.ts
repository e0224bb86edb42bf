const usualMs = 60_000
const quietMs = 5 * 60_000
const failedMs = 10 * 60_000
/** A tab that is shown again and again does not ask each time. */
const minMs = 15_000
/** After so many equal answers it asks half as often. */
const equalAnswers = 10

interface Course {
  /** In a row. */
  failures: number
  equal: number
}

/** How long to wait before the next request: longer while nothing happens, and longer still while requests fail. */
export function pollDelay({ failures, equal }: Course): number {
  if (failures > 0) return Math.min(usualMs * 2 ** failures, failedMs)
  return Math.min(usualMs * 2 ** Math.floor(equal / equalAnswers), quietMs)
}

/** Asks for the number of unread notifications from time to time, and not at all while the page is hidden. */
export function pollUnread(read: () => Promise<number>, onCount: (count: number) => void): () => void {
  const controller = new AbortController()
  const { signal } = controller
  const course: Course = { failures: 0, equal: 0 }
  let timer: ReturnType<typeof setTimeout> | undefined
  let askedAt = -Infinity
  let last: number | undefined
  const poll = async () => {
    askedAt = performance.now()
    try {
      const count = await read()
      if (signal.aborted) return
      course.failures = 0
      course.equal = count === last ? course.equal + 1 : 0
      last = count
      onCount(count)
    } catch {
      course.failures += 1
    }
    schedule(pollDelay(course))
  }
  const schedule = (ms: number) => {
    clearTimeout(timer)
    if (!signal.aborted && !document.hidden) timer = setTimeout(() => void poll(), ms)
  }
  const followVisibility = () => {
    course.equal = 0
    schedule(Math.max(0, askedAt + minMs - performance.now()))
  }
  document.addEventListener('visibilitychange', followVisibility, { signal })
  followVisibility()
  return () => {
    clearTimeout(timer)
    controller.abort()
  }
}
