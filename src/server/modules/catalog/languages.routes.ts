import { inTransaction } from '#server/context.ts'
import { publicStatuses } from '#shared/document-status.ts'
import { Visibility } from '#shared/enums.ts'
import type { languages } from '#shared/contract/catalog.ts'
import { listRows } from '#server/db/list.ts'
import type { Db } from '#server/db/open.ts'
import { bit } from '#server/db/tables/column.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { createLanguage, deleteLanguages, setLanguageStatus, updateLanguage } from './languages.service.ts'

export const languageRoutes: Handlers<typeof languages> = {
  async list(ctx, { enable, ...input }) {
    const manages = ctx.viewer.can('LanguageAPI/ListLanguage')
    let query = ctx.db.selectFrom('language').selectAll()
    if (!manages) query = query.where('enable', '=', 1)
    else if (enable.length > 0) query = query.where('enable', 'in', enable.map(bit))
    const { total, rows } = await listRows(query, input, {
      search: ['language', 'code'],
      order: [
        ['enable', 'desc'],
        ['sort', 'desc'],
        ['id', 'asc'],
      ],
      sortable: ['language', 'code', 'created_at', 'updated_at'],
      sizes: { min: 1, max: 10_000, default: 10 },
    })
    const codes = rows.map(({ code }) => code)
    const totals = manages ? await countByLanguage(ctx.db, codes) : new Map<string, number>()
    return {
      total,
      language: rows.map((row) => ({ ...row, enable: row.enable === 1, total: totals.get(row.code) ?? 0 })),
    }
  },
  create: inTransaction(createLanguage),
  update: emptyReply(inTransaction(updateLanguage)),
  setStatus: emptyReply(inTransaction(setLanguageStatus)),
  delete: emptyReply(inTransaction(deleteLanguages)),
}

/** The number of public documents in each language. */
async function countByLanguage(db: Db, codes: readonly string[]): Promise<Map<string, number>> {
  if (codes.length === 0) return new Map()
  const rows = await db
    .selectFrom('document')
    .select(['language', ({ fn }) => fn.countAll<number>().as('count')])
    .where('language', 'in', codes)
    .where('deleted_at', 'is', null)
    .where('status', 'in', [...publicStatuses])
    .where('visibility', '=', Visibility.Public)
    .groupBy('language')
    .execute()
  return new Map(rows.map(({ language, count }) => [language, count]))
}
