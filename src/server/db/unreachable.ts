/** Of Node, when a connection cannot be made or breaks. */
const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])

/** The connection to the database could not be made, or has ended: the query is not at fault. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isUnreachable)
  if ('code' in error && codes.has(String(error.code))) return true
  // After an error of this severity PostgreSQL closes the connection.
  if ('severity' in error && error.severity === 'FATAL') return true
  // The driver's own errors have neither.
  return /^(timeout exceeded when trying to connect|Connection terminated)/.test(error.message)
}
