/** The passkeys of the member. */
export function PasskeysCard() {
  return null
}
