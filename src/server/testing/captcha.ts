import { users } from '#shared/contract/users.ts'
import type { CaptchaPurpose } from '#shared/enums.ts'
import { hmac } from '#server/keys.ts'
import type { Site } from './site.ts'

/** What a person would type: every possible answer is tried against the stored HMAC. */
export async function solveCaptcha(site: Site, id: string): Promise<string> {
  const { keys } = await site.app.context()
  const { answer } = await site.db.selectFrom('captcha').select('answer').where('id', '=', id).executeTakeFirstOrThrow()
  const solution = candidates().find((candidate) => hmac(keys.codes, candidate) === answer)
  if (solution === undefined) throw new Error('the captcha has no answer of four digits')
  return solution
}

/** The captcha fields of a form with the right answer, which is written to the database to save the solving. */
export async function solvedCaptcha(site: Site, type: CaptchaPurpose, captcha = '2357') {
  const { id } = await site.call(users.captcha, { type })
  const { keys } = await site.app.context()
  const answer = hmac(keys.codes, captcha)
  await site.db.updateTable('captcha').set({ answer }).where('id', '=', id).execute()
  return { captcha_id: id, captcha }
}

/** Results of small sums, and all of four digits. */
function candidates(): string[] {
  const sums = Array.from({ length: 100 }, (_, number) => String(number))
  return [...sums, ...Array.from({ length: 10_000 }, (_, number) => String(number).padStart(4, '0'))]
}
