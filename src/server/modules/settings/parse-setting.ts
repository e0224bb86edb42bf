import { creditName, nameCredits } from '#shared/credit-name.ts'
import { errors } from '#shared/errors.ts'
import { findTextProblem } from '#shared/mail-templates.ts'
import { type Field, fromText } from '#shared/setting-fields.ts'
import { findField, type GroupName, type Settings } from '#shared/settings.ts'
import type { Ctx } from '#server/context.ts'

export interface Change {
  category: string
  name: string
  value: string
}

/** Undefined if there is no such setting. */
export function parseSetting({
  category,
  name,
  value,
}: Change): { value: Field['default'] } | { problem: string } | undefined {
  const field = findField(category, name)
  if (!field) return undefined
  const problem = category === 'mail_text' ? findTextProblem(name, value) : undefined
  return problem === undefined ? fromText(field, value) : { problem: `${field.label}：${problem}` }
}

export function assertValid({ settings }: Ctx, changes: readonly Change[]): void {
  for (const change of changes) {
    const path = `${change.category}.${change.name}`
    const result = parseSetting(change)
    if (!result) throw errors.settings.unknown(path)
    if ('problem' in result)
      throw errors.settings.wrongValue(nameCredits(result.problem, creditName(settings))).at(path)
  }
}

/** The settings as they would be after these changes; values that are not valid change nothing. */
export function applyChanges(settings: Settings, changes: readonly Change[]): Settings {
  const changed = structuredClone(settings)
  for (const change of changes) {
    const result = parseSetting(change)
    if (result && 'value' in result)
      Object.assign(changed[change.category as GroupName], { [change.name]: result.value })
  }
  return changed
}
