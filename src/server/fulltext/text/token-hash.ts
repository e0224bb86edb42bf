/** A 32-bit hash (FNV-1a with a final mix) of a token, given as a range of a text to avoid cutting it out. */
export function hashToken(text: string, from = 0, to = text.length): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    hash = Math.imul(hash ^ (code & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (code >> 8), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) | 0
}
