import { contract, areaTitles } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { dash } from '#web/admin/cells.tsx'
import { customColumn, longTextColumn, textColumn, timeColumn, userColumn } from '#web/admin/columns.tsx'
import { dateRange, select, users } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const api = contract.audits

type AuditEntry = Reply<typeof api.list>['audit'][number]

export const audit = resource({
  title: '操作日志',
  api: { list: api.list },
  export: api.export,
  hint: '管理人员的每一次修改都记在这里，不含密码等机密内容。保留多少天在“安全设置”里决定。',
  emptyText: '还没有操作记录',
  columns: [
    timeColumn('created_at', { label: '时间', sort: true }),
    { key: 'id', width: 80, hiddenByDefault: true },
    userColumn('username', 'user_id', { label: '操作人' }),
    textColumn('area_title', { label: '范围', width: 110 }),
    longTextColumn('title', { label: '操作' }),
    longTextColumn('change', { label: '变更', width: 280 }),
    customColumn('target_id', '对象编号', ({ target_id }: AuditEntry) => target_id.join('、') || dash, { width: 120 }),
    textColumn('ip', { label: 'IP' }),
  ],
  filters: ['wd', users('user_id', '操作人'), select('area', '范围', areaTitles), dateRange('created_at', '时间')],
})
