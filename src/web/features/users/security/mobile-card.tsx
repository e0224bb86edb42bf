/** The bound mobile number. */
export function MobileCard() {
  return null
}
