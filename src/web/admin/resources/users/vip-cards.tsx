import { Select, Tag } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { StaffUserVip } from '#shared/contract/vip.ts'
import { vipCardLabels } from '#shared/enums.ts'
import { call } from '#web/admin/actions.ts'
import cells from '#web/admin/cells.module.css'
import { customColumn, longTextColumn, tagColumn, timeColumn, userColumn } from '#web/admin/columns.tsx'
import { dateRange, select, textarea, user, users } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { OrderLink } from '#web/admin/resources/orders/order-link.tsx'

const { list, grant, end } = contract.vip

const stateLabels = { active: '使用中', waiting: '未开始', ended: '已结束' }
type State = keyof typeof stateLabels
const stateOptions = Object.entries(stateLabels).map(([value, label]) => ({ value, label }))
const stateColors: Record<State, string> = { active: 'green', waiting: 'blue', ended: 'default' }

export const vipCards = resource({
  title: '会员卡',
  api: { list, create: grant },
  columns: [
    { key: 'id', width: 72, hiddenByDefault: true },
    userColumn('username', 'user_id', { label: '用户' }),
    tagColumn('type', vipCardLabels, { label: '卡', width: 84, colors: { 0: 'gold' } }),
    customColumn('discount', '状态', (row: StaffUserVip) => <StateTag state={getState(row)} />, {
      width: 96,
      text: (row: StaffUserVip) => stateLabels[getState(row)],
    }),
    timeColumn('joined_at', { label: '开始时间', sort: true }),
    timeColumn('expired_at', { label: '到期时间', sort: true }),
    customColumn(
      'download_used',
      '免费文档',
      (row: StaffUserVip) => <span className={cells.numeric}>{usedText(row)}</span>,
      { width: 110, sort: true, text: usedText },
    ),
    customColumn('order_no', '订单', ({ order_no }: StaffUserVip) => <OrderLink orderNo={order_no} />, {
      width: 240,
      text: ({ order_no }: StaffUserVip) => order_no,
    }),
    longTextColumn('reason', { label: '原因' }),
    timeColumn('created_at', { label: '开通时间', hiddenByDefault: true }),
  ],
  filters: [
    'wd',
    select('type', '卡', vipCardLabels),
    {
      ...select('state', '状态', stateLabels),
      filter: <Select allowClear placeholder="状态" options={stateOptions} />,
    },
    users('user_id', '用户'),
    dateRange('joined_at', '开始时间', { isNamed: true }),
    dateRange('expired_at', '到期时间', { isNamed: true }),
  ],
  form: {
    create: [
      user('user_id', '用户'),
      select('type', '卡', vipCardLabels, { help: '接在该用户已有的卡后面，不收费' }),
      textarea('reason', '原因', { help: '只有管理人员能看到' }),
    ],
  },
  actions: [
    call(end, '提前结束', {
      danger: true,
      startsEmpty: true,
      confirm: '立即结束，后面的卡随之提前；不退款，退款请到订单管理。',
      fields: [textarea('reason', '原因')],
      disabledReason: (row: StaffUserVip) => (getState(row) === 'ended' ? '已经结束' : undefined),
    }),
  ],
  rowName: ({ username, type }) => `${username} · ${vipCardLabels[type]}`,
})

function StateTag({ state }: { state: State }) {
  return (
    <Tag color={stateColors[state]} variant="filled">
      {stateLabels[state]}
    </Tag>
  )
}

function getState({ joined_at, expired_at }: StaffUserVip): State {
  const [from, until] = [joined_at ?? 0, expired_at ?? 0]
  if (until <= Date.now() || until <= from) return 'ended'
  return from > Date.now() ? 'waiting' : 'active'
}

function usedText({ download, download_used }: StaffUserVip): string {
  return download === 0 ? `${download_used}（不限）` : `${download_used} / ${download}`
}
