/** Where the member is logged in. */
export function SessionsCard() {
  return null
}
