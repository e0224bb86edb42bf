import type { Config, PublicSettings } from '#shared/contract/settings.ts'
import { creditExchange, creditName, nameCreditsOf } from '#shared/credit-name.ts'
import { catalogue, type GroupName, type Settings } from '#shared/settings.ts'
import { moneyUnits } from '#shared/prices.ts'
import { type Field, maskedSecret, toDisplayText } from '#shared/setting-fields.ts'
import type { Ctx } from '#server/context.ts'
import { safeHtml } from '#server/html.ts'
import { analyticsText } from '#server/http/pages/analytics.ts'
import { decryptSecrets } from './secret-settings.ts'
import { version } from '#server/version.ts'
import { miniProgramLogo, publicLogins } from './public-logins.ts'
import { publicPayment } from './public-payment.ts'

/** The step of clients that know only steps, on a site without them. */
const pagesPerStep = 10

/** For every visitor. The contract's schema drops all keys that it does not name. */
export async function publicSettings({ db, settings, now }: Ctx): Promise<PublicSettings> {
  const { system, footer, security, display, download, score, vip, search, miniprogram, sms, email } = settings
  const [language, group] = await Promise.all([
    db
      .selectFrom('language')
      .select(['id', 'language', 'code'])
      .where('enable', '=', 1)
      .orderBy('sort', 'desc')
      .orderBy('id')
      .execute(),
    db
      .selectFrom('group')
      .select(['enable_upload', 'enable_article'])
      .where('is_default', '=', 1)
      .orderBy('id')
      .executeTakeFirst(),
  ])
  return {
    system: {
      ...system,
      mp_logo: miniProgramLogo(settings),
      analytics: analyticsText(system.analytics),
      // Clients write it before the current year, also if there is none.
      copyright_start_year: system.copyright_start_year || String(new Date(now()).getFullYear()),
      // Clients draw it over pages themselves if there is one.
      watermark: system.enable_watermark ? system.watermark : '',
      version: system.enable_powered_by ? version : '',
      credit_name: creditName(settings),
      ...creditExchange(settings),
      enable_sms: sms.enable,
      enable_email_login: email.enable && email.enable_login,
    },
    footer,
    security: {
      ...security,
      close_statement: safeHtml(security.close_statement),
      ...publicLogins(settings),
    },
    display: {
      ...display,
      pages_per_read: display.pages_per_read || pagesPerStep,
      reads_continuously: display.pages_per_read === 0,
      copyright_statement: safeHtml(display.copyright_statement),
    },
    download: { ...download, code_tip: safeHtml(download.code_tip) },
    score,
    vip,
    payment: publicPayment(settings),
    search,
    miniprogram,
    language,
    default_group: { enable_upload: group?.enable_upload === 1, enable_article: group?.enable_article === 1 },
  }
}

/** The settings of some groups as rows, in the catalogue's order, with secrets masked. */
export async function configRows({ db, settings, cipher }: Ctx, groups: readonly GroupName[]): Promise<Config[]> {
  const stored = await db.selectFrom('setting').selectAll().execute()
  const changedAt = new Map(stored.map(({ category, name, updated_at }) => [`${category}.${name}`, updated_at]))
  const { unreadable } = decryptSecrets(cipher, stored)
  const problems = new Map(unreadable.map(({ category, name, problem }) => [`${category}.${name}`, problem]))
  return allFields()
    .filter(({ category }) => groups.includes(category))
    .map(({ category, name, field, position }) => ({
      id: position,
      category,
      name,
      ...wireWords(nameCreditsOf(field, creditName(settings))),
      // The mask leaves what is stored as it is when the form is saved: its key may come back.
      value: problems.has(`${category}.${name}`) ? maskedSecret : getDisplayText(settings, category, name, field),
      problem: problems.get(`${category}.${name}`) ?? '',
      // A client offers nothing to choose from without options.
      input_type: field.kind === 'select-multi' && !field.options ? 'text' : field.kind,
      options: Object.entries(field.options ?? {})
        .map(([value, label]) => `${value}:${label}`)
        .join('\n'),
      sort: position,
      col_num: field.columns ?? 24,
      created_at: null,
      updated_at: changedAt.get(`${category}.${name}`) ?? null,
    }))
}

/** On the wire money is in its small unit: who shows the value as it is has to show that too. */
function wireWords({ label, help = '', money }: Field): Pick<Config, 'label' | 'placeholder'> {
  if (!money) return { label, placeholder: help }
  const { title, perYuan } = moneyUnits[money]
  const unit = `1 元是 ${perYuan} ${title}`
  return { label: `${label}（${title}）`, placeholder: help ? `${unit}；${help}` : unit }
}

function getDisplayText(settings: Settings, category: GroupName, name: string, field: Field): string {
  const group: Record<string, Field['default']> = settings[category]
  return toDisplayText(field, group[name] ?? field.default)
}

function allFields() {
  const groups = Object.entries(catalogue) as [GroupName, { fields: Record<string, Field> }][]
  return groups
    .flatMap(([category, { fields }]) => Object.entries(fields).map(([name, field]) => ({ category, name, field })))
    .map((row, index) => ({ ...row, position: index + 1 }))
}
