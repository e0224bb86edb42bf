/** A token, or a part of a text that is one, as a number of 32 bits: shorter to keep, and quicker to compare. */
export function hashOf(text: string, from = 0, to = text.length): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    hash = Math.imul(hash ^ (code & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (code >> 8), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) | 0
}
