/** Accounts of third parties by which the member logs in. */
export function LinkedAccountsCard() {
  return null
}
