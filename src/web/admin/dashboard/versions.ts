/** Whether a release is newer than what runs: `v1.10.0` than `1.9.3`. A candidate comes before its release. */
export function isNewer(tag: string, current: string): boolean {
  const [left, right] = [partsOf(tag), partsOf(current)]
  if (!left || !right) return false
  for (let at = 0; at < Math.max(left.numbers.length, right.numbers.length); at += 1) {
    const difference = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return left.stage === '' ? right.stage !== '' : right.stage !== '' && left.stage > right.stage
}

function partsOf(version: string): { numbers: number[]; stage: string } | undefined {
  const found = /^v?(\d+(?:\.\d+)*)(?:-([\w.]+))?/i.exec(version.trim())
  return found ? { numbers: (found[1] ?? '').split('.').map(Number), stage: found[2] ?? '' } : undefined
}
