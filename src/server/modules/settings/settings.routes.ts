import type { settings } from '#shared/contract/system.ts'
import { errors } from '#shared/errors.ts'
import { keptSecret } from '#shared/setting-fields.ts'
import { catalogue, findField, type GroupName } from '#shared/settings.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { configRows, publicSettings } from './settings.present.ts'
import { refuseLeadingSecretAway, sendTestMail } from './test-mail.ts'
import { changeSettings } from './settings.store.ts'

export const settingsRoutes: Handlers<typeof settings> = {
  get: publicSettings,
  async list(ctx, { category }) {
    const known = category.filter((name): name is GroupName => Object.hasOwn(catalogue, name))
    return { config: await configRows(ctx, category.length > 0 ? known : (Object.keys(catalogue) as GroupName[])) }
  },
  async update(ctx, { config }) {
    if (config.some(({ category }) => category === 'release')) throw errors.settings.readOnly()
    const changes = config.filter(
      ({ category, name, value }) => !(findField(category, name)?.secret && value === keptSecret),
    )
    refuseLeadingSecretAway(ctx, changes)
    await changeSettings(ctx, changes)
    await sendTestMail(ctx, changes)
    return {}
  },
}
