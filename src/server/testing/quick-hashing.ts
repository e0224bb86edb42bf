import { vi } from 'vitest'

/** Passwords are hashed as ever, at the least cost: tests make thousands of members. */
vi.mock(import('@node-rs/argon2'), async (load) => {
  const argon2 = await load()
  return {
    ...argon2,
    hash: (password, options, ...more) => argon2.hash(password, { ...options, memoryCost: 64, timeCost: 1 }, ...more),
  }
})
