import { Tag } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatYuan } from '#shared/prices.ts'
import { call } from '#web/admin/actions.ts'
import cells from '#web/admin/cells.module.css'
import { dash, TwoLines } from '#web/admin/cells.tsx'
import { customColumn, longTextColumn, timeColumn } from '#web/admin/columns.tsx'
import { textarea, toggle } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { OrderLink } from '#web/admin/resources/orders/order-link.tsx'
import { nameOf, providerNames } from '#web/admin/resources/orders/words.ts'

const { differences: list, handleDifference, reconcile } = contract.orders

type Difference = Reply<typeof list>['difference'][number]

const kindNames: Record<string, string> = {
  'missing-here': '平台有，本站没有',
  'missing-there': '本站有，平台没有',
  'other-amount': '金额不同',
}
const entryNames: Record<string, string> = { payment: '收款', refund: '退款' }

export const differences = resource({
  title: '差异',
  api: { list },
  hint: '每天上午把支付平台前一天的账单和本站的订单逐笔比较，不一致的列在这里。查清后写明结果，记为已处理。',
  emptyText: '没有差异：支付平台的账单和本站的订单一致',
  columns: [
    customColumn(
      'day',
      '账单',
      ({ day, provider }: Difference) => <TwoLines primary={day} secondary={nameOf(providerNames, provider)} />,
      { width: 96, text: ({ day, provider }: Difference) => `${day} ${nameOf(providerNames, provider)}` },
    ),
    customColumn('kind', '差异', (row: Difference) => <Kind row={row} />, { width: 164, text: kindText }),
    customColumn('our_money', '本站', ({ our_money }: Difference) => <Money fen={our_money} />, {
      width: 72,
      text: ({ our_money }: Difference) => formatYuan(our_money),
    }),
    customColumn('their_money', '平台', ({ their_money }: Difference) => <Money fen={their_money} />, {
      width: 72,
      text: ({ their_money }: Difference) => formatYuan(their_money),
    }),
    customColumn('order_no', '订单', ({ order_no }: Difference) => <OrderLink orderNo={order_no} />, { width: 232 }),
    customColumn(
      'attempt_no',
      '平台的单号',
      ({ attempt_no, transaction_id }: Difference) => (
        <TwoLines primary={transaction_id || attempt_no} secondary={transaction_id && attempt_no} />
      ),
      { width: 238, text: ({ attempt_no, transaction_id }: Difference) => `${transaction_id} ${attempt_no}`.trim() },
    ),
    customColumn('is_handled', '处理', (row: Difference) => <Handled isHandled={row.is_handled} />, { width: 70 }),
    longTextColumn('remark', { label: '处理结果' }),
    timeColumn('created_at', { label: '发现时间' }),
  ],
  filters: ['wd', toggle('is_handled', '已处理')],
  toolbar: [
    call(reconcile, '立即对账', {
      confirm: '向支付平台取来还没有比较过的账单，与本站的订单逐笔比较；可能要等一会儿。当天的账单要到第二天上午才有。',
      successMessage: describeReconciliation,
    }),
  ],
  actions: [
    call(handleDifference, '记为已处理', {
      startsEmpty: true,
      fields: [textarea('remark', '处理结果', { help: '如“已给买家补发”“平台多收，已退款”' })],
      disabledReason: ({ is_handled }: Difference) => (is_handled ? '已经处理' : undefined),
    }),
  ],
  rowName: ({ day, attempt_no }) => `${day} ${attempt_no}`,
})

function describeReconciliation({ bills, differences: found }: Reply<typeof reconcile>): string {
  if (bills === 0) return '没有新的账单：已有的都比较过了'
  return `比较了 ${bills} 份账单，${found === 0 ? '没有新的差异' : `发现 ${found} 处差异`}`
}

function kindText({ kind, entry }: Difference): string {
  return `${nameOf(entryNames, entry)}：${nameOf(kindNames, kind)}`
}

function Kind({ row }: { row: Difference }) {
  return (
    <Tag color={row.is_handled ? undefined : 'red'} variant="filled">
      {kindText(row)}
    </Tag>
  )
}

function Handled({ isHandled }: { isHandled: boolean }) {
  return (
    <Tag color={isHandled ? 'green' : 'gold'} variant="filled">
      {isHandled ? '已处理' : '未处理'}
    </Tag>
  )
}

function Money({ fen }: { fen: number }) {
  return fen === 0 ? dash : <span className={cells.numeric}>¥{formatYuan(fen)}</span>
}
