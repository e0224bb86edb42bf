/** Its pages are still to come. */
export function isUnderway({ status }: { status: number }): boolean {
  return status === 0 || status === 1 || status === 5
}
