import { vi } from 'vitest'

/** Argon2 at its lowest cost: tests create thousands of members. */
vi.mock(import('@node-rs/argon2'), async (load) => {
  const argon2 = await load()
  return {
    ...argon2,
    hash: (password, options, ...more) => argon2.hash(password, { ...options, memoryCost: 64, timeCost: 1 }, ...more),
  }
})
