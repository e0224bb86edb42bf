import type { Field } from '#shared/setting-fields.ts'
import { catalogue, defaultSettings, type Settings } from '#shared/settings.ts'
import { type Ctx, transaction } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import type { Logger } from '#server/log.ts'
import type { Cipher } from '#server/secrets/cipher.ts'
import { applyChanges, assertValid, type Change } from './parse-setting.ts'
import { decryptSecrets, describeUnreadable, toStoredValue } from './secret-settings.ts'

export interface SettingsStore {
  /**
   * The current settings. Changes by other processes are seen within 200 ms. The object stays the same as long as no content
   * of pages has changed: a page that was rendered with another object is stale.
   */
  current(): Promise<Settings>
  /** The same without a query; undefined if the cache may be stale. */
  peek(): Settings | undefined
  /** The next call reads them again. */
  refresh(): void
  /** Other content of pages has changed: invalidates the page caches of all processes. */
  invalidate(): void
}

const recheckMs = 200

interface Parts {
  cipher: Cipher
  log: Logger
}

export function settingsStore(db: Db, { cipher, log }: Parts): SettingsStore {
  let settings: Settings | undefined
  let known = { settings: -1, site: -1 }
  let checkedAt = 0
  let checking: Promise<Settings> | undefined
  let refreshed = 0
  let reported = ''

  /** A stored value that is no longer valid, or cannot be decrypted, is replaced by the default. */
  const load = async (): Promise<Settings> => {
    const stored = await db.selectFrom('setting').selectAll().execute()
    const { rows, unreadable } = decryptSecrets(cipher, stored)
    const report = describeUnreadable(unreadable)
    if (report && report !== reported) log.warn(`加密保存的设置无法解密，暂时当作没有填写。${report}`)
    reported = report
    return nameSite(applyChanges(defaultSettings(), rows))
  }

  const check = async (): Promise<Settings> => {
    const refreshesBefore = refreshed
    const rows = await db.selectFrom('revision').selectAll().where('name', 'in', ['settings', 'site']).execute()
    const latest = { settings: 0, site: 0, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) }
    if (!settings || latest.settings !== known.settings) settings = await load()
    else if (latest.site !== known.site) settings = { ...settings }
    known = latest
    // A change during the read may have been missed.
    checkedAt = refreshed === refreshesBefore ? Date.now() : 0
    return settings
  }

  let isDirty = false
  let advancing: Promise<void> | undefined
  const advanceSite = async (): Promise<void> => {
    while (isDirty) {
      isDirty = false
      const value = await advance(db, 'site').catch(() => {})
      // The caches of this process were cleared when it changed: nothing that they hold since then is stale.
      if (value === known.site + 1) known = { ...known, site: value }
    }
  }

  return {
    peek: () => (settings && Date.now() - checkedAt < recheckMs ? settings : undefined),
    async current() {
      if (settings && Date.now() - checkedAt < recheckMs) return settings
      checking ??= check().finally(() => {
        checking = undefined
      })
      return checking
    },
    refresh() {
      checkedAt = 0
      refreshed += 1
      checking = undefined
    },
    invalidate() {
      // Coalesced: many changes at once advance the revision once.
      isDirty = true
      advancing ??= advanceSite().finally(() => {
        advancing = undefined
      })
    },
  }
}

/** Validates all values before any is stored. */
export async function changeSettings(ctx: Ctx, changes: readonly Change[]): Promise<void> {
  assertValid(ctx, changes)
  await transaction(ctx, async (ctx) => {
    for (const change of changes) await store(ctx, asUnchanged(ctx.settings, change))
    await advance(ctx.db, 'settings')
    ctx.emit('settings.changed', { groups: [...new Set(changes.map(({ category }) => category))] })
  })
}

const systemFields: Record<string, Field> = catalogue.system.fields
const product = catalogue.system.fields.sitename.default

/** Texts that the owner has not changed name the site, not the product. */
function nameSite(settings: Settings): Settings {
  const { sitename } = settings.system
  const named = Object.entries<unknown>(settings.system).flatMap(([name, value]) => {
    const field = systemFields[name]
    return field?.namesSite && value === field.default ? [[name, withName(field.default, sitename)]] : []
  })
  Object.assign(settings.system, Object.fromEntries(named))
  return settings
}

/** Forms send back what they were given: that is no change, so the text goes on following the name. */
function asUnchanged({ system }: Settings, change: Change): Change {
  const field = change.category === 'system' ? systemFields[change.name] : undefined
  if (!field?.namesSite || change.value.trim() !== withName(field.default, system.sitename)) return change
  return { ...change, value: String(field.default) }
}

/** A site that is called 文库 does not say so twice. */
function withName(text: Field['default'], sitename: string): string {
  return String(text)
    .replaceAll(product, sitename.trim() || product)
    .replace('文库 · 文库', '文库')
    .replace('文库,文库,', '文库,')
}

async function advance(db: Db, name: 'settings' | 'site'): Promise<number> {
  const { value } = await db
    .insertInto('revision')
    .values({ name, value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((eb) => ({ value: eb('revision.value', '+', 1) })))
    .returning('value')
    .executeTakeFirstOrThrow()
  return value
}

async function store(ctx: Ctx, change: Change): Promise<void> {
  const { category, name } = change
  const row = { value: toStoredValue(ctx.cipher, change), updated_at: ctx.now() }
  await ctx.db
    .insertInto('setting')
    .values({ category, name, ...row })
    .onConflict((conflict) => conflict.columns(['category', 'name']).doUpdateSet(row))
    .execute()
}
