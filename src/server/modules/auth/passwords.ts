import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash, verify } from '@node-rs/argon2'
import { errors } from '#shared/errors.ts'
import { minPasswordLength } from '#shared/fields.ts'
import type { Ctx } from '#server/context.ts'

/** argon2id (the library's default) at the cost that OWASP recommends. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

/** For every new password: long enough, and none of those that are tried first. Those that exist stay valid. */
export function assertStrongPassword(
  { settings }: Pick<Ctx, 'settings'>,
  password: string,
  { username, email }: { username: string; email: string },
): void {
  if (password.length < minPasswordLength) throw errors.users.passwordTooShort()
  const folded = fold(password)
  const { sitename, title, domain } = settings.system
  const host = URL.parse(domain)?.hostname ?? ''
  const names = [username, email, email.split('@')[0] ?? '', sitename, title, host]
  if (names.some((name) => fold(name) === folded)) throw errors.users.passwordNamed()
  common ??= new Set(readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8').split('\n'))
  if (common.has(folded) || /^(.)\1*$/u.test(folded)) throw errors.users.passwordCommon()
}

/** From published lists of what people use most: at least eight characters, lower-case, one a line. */
let common: Set<string> | undefined

function fold(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

/** Takes as long for a missing user, to prevent user enumeration by timing. */
export async function passwordMatches(stored: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('decoy')
  const matches = await verify(stored || (await decoy), password)
  return matches && Boolean(stored)
}

let decoy: Promise<string> | undefined
