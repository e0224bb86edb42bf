import type { Range } from './storage.ts'

/** Where the disk driver writes incomplete files; reserved in all drivers. */
export const tempFolder = 'tmp'

/** Keys become file paths and URLs: only safe characters are allowed. */
export function checkKey(key: string): void {
  const [first] = key.split('/', 1)
  if (key.length > 512 || first === tempFolder || !key.split('/').every(isSegment)) throwInvalidKey(key)
}

/** Folders, and optionally the beginning of a name. */
export function checkPrefix(prefix: string): void {
  const folders = prefix.split('/')
  const name = folders.pop()
  if (folders[0] === tempFolder || !folders.every(isSegment) || (name && !isSegment(name))) throwInvalidKey(prefix)
}

export function checkRange(range: Range | undefined): void {
  if (!range) return
  const { start, end } = range
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start) return
  throw new RangeError(`读取范围不合法：${start}-${end}`)
}

function isSegment(segment: string): boolean {
  return /^[A-Za-z0-9._-]{1,200}$/.test(segment) && segment !== '.' && segment !== '..'
}

function throwInvalidKey(key: string): never {
  throw new TypeError(`存储的键不合法：${JSON.stringify(key.slice(0, 80))}`)
}
