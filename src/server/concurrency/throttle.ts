/** Acts at once when it was quiet, otherwise when `ms` have passed since the last time: the last wish is never lost. */
export function atMostEvery(ms: number, act: () => void): () => void {
  let resting = false
  let wished = false

  const go = () => {
    resting = true
    wished = false
    // What is still wished when the process ends is of no use to anybody.
    setTimeout(() => {
      resting = false
      if (wished) go()
    }, ms).unref()
    act()
  }

  return () => {
    if (resting) wished = true
    else go()
  }
}
