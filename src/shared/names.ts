import { mobilePattern } from './mobile.ts'

/** User names: the allowed characters, and when two names look the same. */

const [minLength, maxLength] = [3, 32]
const allowed = /^[\p{Script=Han}a-zA-Z0-9_.\-·]+$/u
const looksLikeEmail = /@/

/** Members can change their name once in so many days; for as long other users cannot take the one before. */
export const renameDays = 180

export function cleanName(name: string): string {
  return name.normalize('NFKC').trim()
}

export function nameProblem(name: string): 'length' | 'address' | 'characters' | undefined {
  if (name.length < minLength || name.length > maxLength) return 'length'
  if (looksLikeEmail.test(name) || mobilePattern.test(name)) return 'address'
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

/** The name of every author whose account is gone. */
export const deletedUserName = '已注销用户'

const reservedWords = /管理员|客服|官方|站长|系统消息|工作人员|已注销/
const reservedKeys = new Set(
  ['admin', 'administrator', 'root', 'system', 'official', 'support', 'service', 'staff', 'moderator', 'webmaster'].map(
    nameKey,
  ),
)

/** Whether readers would take it for the site itself. Digits and separators around it make no difference. */
export function isReservedName(name: string): boolean {
  const core = cleanName(name).replace(/^[\d_.\-·]+|[\d_.\-·]+$/g, '')
  return reservedWords.test(core) || [name, core].some((text) => reservedKeys.has(nameKey(text)))
}
