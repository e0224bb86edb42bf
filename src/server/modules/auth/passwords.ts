import { hash, verify } from '@node-rs/argon2'

/** argon2id (the library's default) at the cost that OWASP recommends. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

/** Takes as long for a missing user, to prevent user enumeration by timing. */
export async function passwordMatches(stored: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('decoy')
  const matches = await verify(stored || (await decoy), password)
  return matches && Boolean(stored)
}

let decoy: Promise<string> | undefined
