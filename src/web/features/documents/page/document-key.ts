/** The id in the address of a document: a 16-character uuid, or the numeric id. */
export function parseDocumentKey(text: string): { id: number; uuid: string } | undefined {
  if (text.length === 16) return { id: 0, uuid: text }
  return /^[1-9]\d{0,8}$/.test(text) ? { id: Number(text), uuid: '' } : undefined
}
