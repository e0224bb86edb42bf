const uniqueViolations = new Set<unknown>(['23505', 2067, 1555])

/** Whether a write violated a unique index (with this column in its name), in either database. */
export function isTaken(error: unknown, column = ''): boolean {
  if (!(error instanceof Error) || !error.message.includes(column)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return uniqueViolations.has(code) || uniqueViolations.has(errcode)
}
