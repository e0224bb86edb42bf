/** Export of one's data and deletion of the account. */
export function PrivacyCard() {
  return null
}
