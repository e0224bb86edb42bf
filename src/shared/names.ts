/** User names: the allowed characters, and when two names look the same. */

const [minLength, maxLength] = [3, 32]
const allowed = /^[\p{Script=Han}a-zA-Z0-9_.\-·]+$/u
const looksLikeEmail = /@/
const looksLikeMobile = /^1[3-9]\d{9}$/

export function cleanName(name: string): string {
  return name.normalize('NFKC').trim()
}

export function nameProblem(name: string): 'length' | 'address' | 'characters' | undefined {
  if (name.length < minLength || name.length > maxLength) return 'length'
  if (looksLikeEmail.test(name) || looksLikeMobile.test(name)) return 'address'
  return allowed.test(name) ? undefined : 'characters'
}

/** Names with the same key belong to one account: case, width and homoglyphs make no difference. */
export function nameKey(name: string): string {
  return cleanName(name)
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .replace(/[il1]/g, 'l')
    .replace(/[o0]/g, 'o')
}
