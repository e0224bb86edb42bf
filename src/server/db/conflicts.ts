const uniqueViolations = new Set<unknown>(['23505', 2067, 1555])

/** Whether a write failed because another row already has the value (of this column); both databases say it in their own way. */
export function isTaken(error: unknown, column = ''): boolean {
  if (!(error instanceof Error) || !error.message.includes(column)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return uniqueViolations.has(code) || uniqueViolations.has(errcode)
}
