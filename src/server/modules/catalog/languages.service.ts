import type { languages } from '#shared/contract/catalog.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { isTaken } from '#server/db/conflicts.ts'
import type { Db } from '#server/db/open.ts'
import { bit } from '#server/db/tables/column.ts'

/** The code of a language, by its code or by the name that clients send instead; empty stays empty. */
export async function resolveLanguage(db: Db, codeOrName: string): Promise<string> {
  if (codeOrName === '') return ''
  const rows = await db
    .selectFrom('language')
    .select('code')
    .where((where) => where.or([where('code', '=', codeOrName), where('language', '=', codeOrName)]))
    .orderBy('id')
    .execute()
  const row = rows.find(({ code }) => code === codeOrName) ?? rows[0]
  if (!row) throw errors.documents.languageUnknown()
  return row.code
}

export async function createLanguage(ctx: Ctx, form: Input<typeof languages.create>) {
  const row = await ctx.db
    .insertInto('language')
    .values({ ...form, enable: bit(form.enable), created_at: ctx.now(), updated_at: ctx.now() })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw isTaken(error) ? errors.languages.codeTaken() : error
    })
  ctx.emit('site.changed', {})
  return { ...row, enable: row.enable === 1 }
}

export async function updateLanguage(ctx: Ctx, { id, ...form }: Input<typeof languages.update>): Promise<void> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('language')
    .set({ ...form, enable: bit(form.enable), updated_at: ctx.now() })
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (!numUpdatedRows) throw errors.records.notFound()
  ctx.emit('site.changed', {})
}

export async function setLanguageStatus(ctx: Ctx, { id, enable }: Input<typeof languages.setStatus>): Promise<void> {
  await ctx.db
    .updateTable('language')
    .set({ enable: bit(enable), updated_at: ctx.now() })
    .where('id', 'in', id)
    .execute()
  ctx.emit('site.changed', {})
}

/** Documents in a deleted language keep its code. */
export async function deleteLanguages(ctx: Ctx, { id }: Input<typeof languages.delete>): Promise<void> {
  await ctx.db.deleteFrom('language').where('id', 'in', id).execute()
  ctx.emit('site.changed', {})
}
