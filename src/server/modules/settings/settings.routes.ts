import type { mailTests } from '#shared/contract/mail.ts'
import type { settings } from '#shared/contract/settings.ts'
import { creditName, nameCredits } from '#shared/credit-name.ts'
import { errors } from '#shared/errors.ts'
import { type Field, toPlainWords } from '#shared/setting-fields.ts'
import { catalogue, findField, type GroupName, type Settings } from '#shared/settings.ts'
import { describeSetting } from '#server/audit-text.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { configRows, publicSettings } from './settings.present.ts'
import { type Change, parseSetting } from './parse-setting.ts'
import { assertSecretsStay, withoutMasks } from './kept-secrets.ts'
import { mailTestAddress, testMail } from './test-mail.ts'
import { changeSettings } from './settings.store.ts'

export const settingsRoutes: Handlers<typeof settings> = {
  get: publicSettings,
  async list(ctx, { category }) {
    const groups = category.filter((name): name is GroupName => Object.hasOwn(catalogue, name))
    return { config: await configRows(ctx, category.length > 0 ? groups : (Object.keys(catalogue) as GroupName[])) }
  },
  async update(ctx, { config }) {
    if (config.some(({ category }) => category === 'release')) throw errors.settings.readOnly()
    const changes = withoutMasks(config)
    assertSecretsStay(ctx, changes)
    ctx.audit?.({ change: describeChanges(ctx.settings, changes) })
    await changeSettings(ctx, changes)
    await mailTestAddress(ctx, changes)
    return {}
  },
}

export const mailTestRoutes: Handlers<typeof mailTests> = { send: emptyReply(testMail) }

/** Those that differ from what is in force: forms send all settings of a screen. */
function describeChanges(current: Settings, changes: readonly Change[]): string {
  const groups: Record<string, Record<string, Field['default']>> = current
  return changes
    .flatMap((change) => {
      const { category, name } = change
      const [field, parsed] = [findField(category, name), parseSetting(change)]
      if (!field || !parsed || 'problem' in parsed) return []
      const before = toPlainWords(field, groups[category]?.[name] ?? field.default)
      const after = toPlainWords(field, parsed.value)
      if (before === after) return []
      const title = `${catalogue[category as GroupName].title} · ${nameCredits(field.label, creditName(current))}`
      return describeSetting(title, before, after, { isSecret: Boolean(field.secret) })
    })
    .join('; ')
}
