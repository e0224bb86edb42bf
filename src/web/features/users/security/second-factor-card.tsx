/** Two-step verification and its recovery codes. */
export function SecondFactorCard() {
  return null
}
