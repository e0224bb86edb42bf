import { randomBytes } from 'node:crypto'

/** Of an order, an attempt to pay or a refund: sortable by time, not guessable, 27 letters and digits. */
export function createNumber(now: number): string {
  const time = new Date(now).toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const random = randomBytes(8).readBigUInt64BE().toString(36).toUpperCase().padStart(13, '0')
  return `${time}${random}`
}

/** Whether a site like this made it. */
export function isOurNumber(number: string): boolean {
  return /^\d{14}[0-9A-Z]{13}$/.test(number)
}
