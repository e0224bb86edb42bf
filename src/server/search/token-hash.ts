/** A token as a number of 32 bits: shorter to keep, and quicker to compare. */
export function hashOf(token: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < token.length; at++) {
    const code = token.charCodeAt(at)
    hash = Math.imul(hash ^ (code & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (code >> 8), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) | 0
}
