import { users } from '#shared/contract/users.ts'
import type { CaptchaPurpose } from '#shared/enums.ts'
import { sealed } from '#server/keys.ts'
import type { Site } from './site.ts'

/** What a person would type: the stored seal is tried against every answer that digits, sounds and sums can have. */
export async function solve(site: Site, id: string): Promise<string> {
  const { keys } = await site.app.context()
  const { answer } = await site.db.selectFrom('captcha').select('answer').where('id', '=', id).executeTakeFirstOrThrow()
  const found = candidates().find((candidate) => sealed(keys.codes, candidate) === answer)
  if (found === undefined) throw new Error('the captcha has no answer of four digits')
  return found
}

/** A captcha as a form carries it, with the right answer; to save the solving, it is given one that we know. */
export async function solvedCaptcha(site: Site, type: CaptchaPurpose, captcha = '2357') {
  const { id } = await site.call(users.captcha, { type })
  const { keys } = await site.app.context()
  const answer = sealed(keys.codes, captcha)
  await site.db.updateTable('captcha').set({ answer }).where('id', '=', id).execute()
  return { captcha_id: id, captcha }
}

/** Results of small sums, and all of four digits. */
function candidates(): string[] {
  const sums = Array.from({ length: 100 }, (_, number) => String(number))
  return [...sums, ...Array.from({ length: 10_000 }, (_, number) => String(number).padStart(4, '0'))]
}
