/** Leading and trailing: calls at once when it was quiet, else when `ms` have passed since the last call. No call is lost. */
export function throttle(ms: number, call: () => void): () => void {
  let isWaiting = false
  let isRequested = false

  const run = () => {
    isWaiting = true
    isRequested = false
    // Not worth keeping the process alive for.
    setTimeout(() => {
      isWaiting = false
      if (isRequested) run()
    }, ms).unref()
    call()
  }

  return () => {
    if (isWaiting) isRequested = true
    else run()
  }
}
