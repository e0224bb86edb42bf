/** Compares release tags with the running version: `v1.10.0` is newer than `1.9.3`, and a release than its candidates. */
export function isNewer(tag: string, current: string): boolean {
  const [left, right] = [parseVersion(tag), parseVersion(current)]
  if (!left || !right) return false
  for (let index = 0; index < Math.max(left.numbers.length, right.numbers.length); index += 1) {
    const difference = (left.numbers[index] ?? 0) - (right.numbers[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return left.stage === '' ? right.stage !== '' : right.stage !== '' && left.stage > right.stage
}

function parseVersion(version: string): { numbers: number[]; stage: string } | undefined {
  const match = /^v?(\d+(?:\.\d+)*)(?:-([\w.]+))?/i.exec(version.trim())
  return match ? { numbers: (match[1] ?? '').split('.').map(Number), stage: match[2] ?? '' } : undefined
}
