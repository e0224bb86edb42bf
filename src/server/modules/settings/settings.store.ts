import { defaultSettings, type Settings } from '#shared/settings.ts'
import { type Ctx, transaction } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { applyChanges, assertValid, type Change } from './parse-setting.ts'

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

export function settingsStore(db: Db): SettingsStore {
  let settings: Settings | undefined
  let revision = -1
  let checkedAt = 0
  let checking: Promise<Settings> | undefined
  let refreshed = 0

  const check = async (): Promise<Settings> => {
    const refreshesBefore = refreshed
    const rows = await db.selectFrom('revision').select('value').where('name', 'in', ['settings', 'site']).execute()
    const latest = rows.reduce((sum, { value }) => sum + value, 0)
    if (!settings || latest !== revision) {
      settings = await load(db)
      revision = latest
    }
    // A change during the read may have been missed.
    checkedAt = refreshed === refreshesBefore ? Date.now() : 0
    return settings
  }

  let isDirty = false
  let advancing: Promise<void> | undefined
  const advanceSite = async (): Promise<void> => {
    while (isDirty) {
      isDirty = false
      await advance(db, 'site').catch(() => {})
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
  assertValid(changes)
  await transaction(ctx, async (ctx) => {
    for (const change of changes) await store(ctx, change)
    await advance(ctx.db, 'settings')
    ctx.emit('settings.changed', { groups: [...new Set(changes.map(({ category }) => category))] })
  })
}

async function advance(db: Db, name: string): Promise<void> {
  await db
    .insertInto('revision')
    .values({ name, value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet((eb) => ({ value: eb('revision.value', '+', 1) })))
    .execute()
}

async function store(ctx: Ctx, { category, name, value }: Change): Promise<void> {
  const row = { value: value.trim(), updated_at: ctx.now() }
  await ctx.db
    .insertInto('setting')
    .values({ category, name, ...row })
    .onConflict((conflict) => conflict.columns(['category', 'name']).doUpdateSet(row))
    .execute()
}

/** A stored value that is no longer valid is replaced by the default. */
async function load(db: Db): Promise<Settings> {
  return applyChanges(defaultSettings(), await db.selectFrom('setting').selectAll().execute())
}
