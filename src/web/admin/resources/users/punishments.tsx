import { Tag } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { punishmentLabels } from '#shared/enums.ts'
import { call } from '#web/admin/actions.ts'
import { customColumn, longTextColumn, tagColumn, timeColumn, userColumn } from '#web/admin/columns.tsx'
import { dateRange, select, selectMany, textarea, time, toggle, users } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { lastOperator, PunishmentHistory } from '#web/admin/resources/users/punishment-history.tsx'

type Row = Reply<typeof contract.punishments.get>

const details = [
  time('end_time', '结束时间', { placeholder: '永久', help: '留空表示永久' }),
  textarea('reason', '处罚原因', { required: true, help: '被处罚的用户会看到' }),
  textarea('remark', '备注', { help: '只有管理人员能看到' }),
] as const

export const punishments = resource({
  title: '处罚',
  api: contract.punishments,
  columns: [
    userColumn('username', 'user_id', { label: '用户' }),
    tagColumn('type', punishmentLabels, { label: '类型' }),
    customColumn('enable', '状态', (row: Row) => <State row={row} />, {
      width: 90,
      text: (row: Row) => states[getState(row)][0],
    }),
    timeColumn('end_time', { unset: '永久', label: '结束时间' }),
    longTextColumn('reason'),
    longTextColumn('remark'),
    customColumn('operators', '经办人', ({ operators }: Row) => <PunishmentHistory operators={operators} />, {
      text: ({ operators }: Row) => lastOperator(operators),
    }),
    'created_at',
  ],
  filters: [
    'wd',
    select('type', '类型', punishmentLabels),
    toggle('enable', '未取消'),
    users('user_id', '用户'),
    dateRange('created_at', '处罚时间'),
  ],
  form: {
    create: [
      users('user_id', '用户'),
      selectMany('type', '处罚类型', punishmentLabels),
      ...details,
      toggle('enable', '立即生效', { empty: true }),
    ],
    update: [
      select('type', '处罚类型', punishmentLabels),
      ...details,
      toggle('enable', '生效', { help: '关闭即取消处罚' }),
    ],
  },
  actions: [
    call(contract.punishments.cancel, '取消处罚', {
      bulk: true,
      danger: true,
      confirm: '取消后，用户立即恢复相应的功能。',
      disabledReason: (row: Row) => (getState(row) === 'active' ? undefined : '处罚已经不在生效'),
    }),
  ],
  rowName: (row) => `${row.username} · ${punishmentLabels[row.type]}`,
})

const states = { active: ['生效中', 'red'], over: ['已结束', 'default'], cancelled: ['已取消', 'default'] } as const

function State({ row }: { row: Row }) {
  const [label, color] = states[getState(row)]
  return (
    <Tag color={color} variant="filled">
      {label}
    </Tag>
  )
}

function getState({ enable, end_time }: Row): keyof typeof states {
  if (!enable) return 'cancelled'
  return end_time && end_time <= Date.now() ? 'over' : 'active'
}
