import type { Selectable } from 'kysely'
import type { audits } from '#shared/contract/audit.ts'
import { areaTitles } from '#shared/contract/contract.ts'
import type { Input } from '#shared/endpoint.ts'
import { formatTime } from '#shared/format.ts'
import type { Ctx } from '#server/context.ts'
import { toDay } from '#server/days.ts'
import { listRows, matches, within } from '#server/db/list.ts'
import type { Tables } from '#server/db/tables.ts'
import { csvStream } from '#server/http/api/csv.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { toAct } from './audit.sentences.ts'
import { parseTargets } from './audit.targets.ts'

type AuditRow = Selectable<Tables['audit_log']>
type Filters = Pick<Input<typeof audits.export>, 'user_id' | 'area' | 'created_at'>

const searched = ['username', 'sentence', 'change', 'target_ids', 'ip']
const exportBatch = 1000

export const auditRoutes: Handlers<typeof audits> = {
  async list(ctx, input) {
    const { total, rows } = await listRows(selectFiltered(ctx, input), input, {
      search: searched,
      order: [['id', 'desc']],
      sortable: ['created_at'],
      sizes: { min: 1, max: 100, default: 20 },
    })
    const audit = rows.map(({ target_ids, targets, ...row }) => ({
      ...row,
      ...toTitles(row),
      target_id: target_ids.split(',').filter(Boolean),
      target: parseTargets(targets),
    }))
    return { total, audit }
  },
  export: (ctx, input) => ({
    name: `操作日志-${toDay(ctx.now())}.csv`,
    type: 'text/csv; charset=utf-8',
    body: csvStream(['时间', '用户', 'IP', '范围', '操作', '对象编号', '变更'], readLines(ctx, input)),
  }),
}

function selectFiltered({ db }: Ctx, { user_id, area, created_at }: Filters) {
  let query = db.selectFrom('audit_log').selectAll().where(within('created_at', created_at))
  if (user_id.length > 0) query = query.where('user_id', 'in', user_id)
  if (area.length > 0) query = query.where('area', 'in', area)
  return query
}

/** Newest first, in batches by id, so that an export of any length needs little memory. */
async function* readLines(ctx: Ctx, { wd, ...filters }: Input<typeof audits.export>): AsyncGenerator<string[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    let query = selectFiltered(ctx, filters).where('id', '<', before)
    if (wd) query = query.where(matches(searched, wd))
    const rows = await query.orderBy('id', 'desc').limit(exportBatch).execute()
    yield* rows.map(toLine)
    if (rows.length < exportBatch) return
    before = rows.at(-1)?.id ?? 0
  }
}

function toLine(row: AuditRow): string[] {
  const { area_title, sentence } = toTitles(row)
  return [formatTime(row.created_at), row.username, row.ip, area_title, sentence, row.target_ids, row.change]
}

/** An endpoint of an older version keeps its name; an entry of one says only which endpoint it was. */
function toTitles({ area, action, sentence }: Pick<AuditRow, 'area' | 'action' | 'sentence'>) {
  const titles: Record<string, string | undefined> = areaTitles
  const title = toAct(area, action).replace(/：$/, '') || action
  return { area_title: titles[area] ?? area, title, sentence: sentence || title }
}
