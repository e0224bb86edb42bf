import type { settings, stats } from '#shared/contract/system.ts'
import { errors } from '#shared/errors.ts'
import { keptSecret } from '#shared/setting-fields.ts'
import { catalogue, findField, type GroupName } from '#shared/settings.ts'
import type { Handlers } from '#server/http/mount.ts'
import { configRows, publicSettings } from './settings.present.ts'
import { refuseLeadingSecretAway, sendTestMail } from './settings.mail.ts'
import { changeSettings } from './settings.store.ts'
import { countAll } from './stats.queries.ts'
import { version } from './version.ts'

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

export const statsRoutes: Handlers<typeof stats> = {
  async get(ctx) {
    const counts = await countAll(ctx.db)
    const shown = {
      user_count: counts.user_count + ctx.settings.display.virtual_register_count,
      document_count: counts.document_count,
      article_count: counts.article_count,
    }
    const hidden = {
      category_count: 0,
      comment_count: 0,
      banner_count: 0,
      friendlink_count: 0,
      report_count: 0,
      os: '',
      version: '',
    }
    if (!ctx.viewer.can('ConfigAPI/GetStats')) return { ...hidden, ...shown }
    return { ...counts, ...shown, os: `${process.platform} ${process.arch}`, version }
  },
}
