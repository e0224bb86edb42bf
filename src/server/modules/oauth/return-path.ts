import { toOwnPath } from '#shared/own-path.ts'

const fallback = '/me'

/** Where a member is led after a third-party log-in: a path of our own, but none that would begin another log-in. */
export function toReturnPath(redirect: string): string {
  const path = toOwnPath(redirect)
  return path === undefined || /^\/(oauth|login|register|findpassword)/i.test(path) ? fallback : path
}
