/** How an address names a document: sixteen characters are its lasting name, anything else its number. */
export function documentKey(named: string): { id: number; uuid: string } | undefined {
  if (named.length === 16) return { id: 0, uuid: named }
  return /^[1-9]\d{0,8}$/.test(named) ? { id: Number(named), uuid: '' } : undefined
}
