/** A mobile number of the Chinese mainland. */
export const mobilePattern = /^1[3-9]\d{9}$/

/** Enough to recognise a number that one knows. */
export function maskMobile(mobile: string): string {
  return mobile.replace(/^(\d{3})\d+(\d{4})$/, '$1****$2')
}
