interface Clock {
  now(): number
}

/**
 * Calls `make` at most once in `ms` and gives all callers the same promise; `keyOf` tells when its result is out of date
 * sooner. A failure is not remembered.
 */
export function memoizeFor<A extends Clock, T>(
  ms: number,
  make: (arg: A) => Promise<T>,
  keyOf: (arg: A) => unknown = () => '',
): (arg: A) => Promise<T> {
  let latest: { at: number; key: unknown; result: Promise<T> } | undefined
  return (arg) => {
    const [at, key] = [arg.now(), keyOf(arg)]
    if (latest && latest.key === key && Math.abs(at - latest.at) < ms) return latest.result
    const current = { at, key, result: make(arg) }
    latest = current
    current.result.catch(() => {
      if (latest === current) latest = undefined
    })
    return current.result
  }
}
