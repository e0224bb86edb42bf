import { Flex } from 'antd'
import { Link } from 'react-router'
import { contract, areaTitles } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { dash } from '#web/admin/cells.tsx'
import { customColumn, longTextColumn, textColumn, timeColumn, userColumn } from '#web/admin/columns.tsx'
import { dateRange, select, users } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const api = contract.audits

type AuditEntry = Reply<typeof api.list>['audit'][number]

const maxShown = 3

/** Names as they were then, with the number that stays and the page there is. Older entries have numbers alone. */
function Targets({ target, target_id }: AuditEntry) {
  if (target_id.length === 0) return dash
  const known = new Map(target.map((one) => [one.id, one]))
  return (
    <Flex vertical>
      {target_id.slice(0, maxShown).map((id) => {
        const { name = '', href = '' } = known.get(id) ?? {}
        const text = name ? `${name}（${id}）` : id
        return href ? (
          <Link key={id} to={href} target="_blank">
            {text}
          </Link>
        ) : (
          <span key={id}>{text}</span>
        )
      })}
      {target_id.length > maxShown && <span>等 {target_id.length} 项</span>}
    </Flex>
  )
}

function targetText({ target, target_id }: AuditEntry): string {
  const names = new Map(target.map(({ id, name }) => [id, name]))
  return target_id.map((id) => [names.get(id), id].filter(Boolean).join(' ')).join('、')
}

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
    longTextColumn('sentence', { label: '做了什么', width: 260 }),
    longTextColumn('change', { label: '详情', width: 260 }),
    customColumn('target', '对象', (entry: AuditEntry) => <Targets {...entry} />, { width: 200, text: targetText }),
    textColumn('area_title', { label: '范围', width: 110 }),
    textColumn('ip', { label: 'IP' }),
  ],
  filters: ['wd', users('user_id', '操作人'), select('area', '范围', areaTitles), dateRange('created_at', '时间')],
})
