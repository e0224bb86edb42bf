import { secondFactor } from '#shared/contract/account-security.ts'
import { users } from '#shared/contract/users.ts'
import { fromBase32, totp } from '#server/modules/auth/second-factor/totp.ts'
import { refusal, type Person, type Site } from '../site.ts'

/** An authenticator app: its codes at the site's time, or at that of a clock that is wrong. */
export interface AuthenticatorApp {
  code(clockErrorMs?: number): string
  recoveryCodes: string[]
}

const stepMs = 30_000

/** Switches two-step verification on for a person. Later codes need a later time: no code is accepted twice. */
export async function enrol(site: Site, { call }: Pick<Person, 'call'>): Promise<AuthenticatorApp> {
  const { now } = await site.app.context()
  const { secret } = await call(secondFactor.begin)
  const code = (clockErrorMs = 0) => totp(fromBase32(secret), Math.floor((now() + clockErrorMs) / stepMs))
  const { recovery_code } = await call(secondFactor.confirm, { code: code() })
  site.advanceClock(stepMs)
  return { code, recoveryCodes: recovery_code }
}

/** Logs in with the password alone, and returns the challenge of the second step. */
export async function firstStep(site: Site, { username, password }: Pick<Person, 'username' | 'password'>) {
  const { challenge } = await refusal(site.call(users.login, { username, password }))
  return challenge ?? { id: '', methods: [] }
}
