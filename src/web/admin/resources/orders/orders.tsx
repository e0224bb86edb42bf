import { Select, type SelectProps, Tag, Typography } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { StaffOrder } from '#shared/contract/orders.ts'
import { OrderStatus, orderStatusLabels, orderTypeLabels, PaymentMethod } from '#shared/enums.ts'
import { differenceText, givenBack, moneyText, refundedText, takenBack, withdrawnText } from '#shared/order-texts.ts'
import { formatYuan } from '#shared/prices.ts'
import { call, panel } from '#web/admin/actions.ts'
import cells from '#web/admin/cells.module.css'
import { CreditName, dash, TwoLines } from '#web/admin/cells.tsx'
import { customColumn, longTextColumn, numberColumn, tagColumn, timeColumn, userColumn } from '#web/admin/columns.tsx'
import { dateRange, select, textarea, toggle, users } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { ConfirmDialog } from '#web/admin/resources/orders/confirm-dialog.tsx'
import { DetailDrawer } from '#web/admin/resources/orders/detail-drawer.tsx'
import { OrderSummary } from '#web/admin/resources/orders/order-summary.tsx'
import { RefundDialog } from '#web/admin/resources/orders/refund-dialog.tsx'
import styles from '#web/admin/resources/orders/orders.module.css'
import { methodLabels, statusColors, takenBackLabel } from '#web/admin/resources/orders/words.ts'
import { useCreditName, useSite } from '#web/domain/site.ts'

const api = contract.orders
const { Pending, Paid, Closed } = OrderStatus

export const orders = resource({
  title: '订单',
  api: { list: api.list, delete: api.delete },
  requires: { delete: 'OrderAPI/DeleteOrder' },
  summary: OrderSummary,
  columns: [
    { key: 'id', width: 72, hiddenByDefault: true },
    customColumn('order_no', '订单', (row: StaffOrder) => <Product order={row} />, {
      width: 236,
      text: ({ order_no }: StaffOrder) => order_no,
    }),
    { key: 'product_name', label: '商品', hiddenByDefault: true },
    tagColumn('order_type', orderTypeLabels, { label: '类型', width: 82 }),
    customColumn('status', '状态', (row: StaffOrder) => <Status order={row} />, { width: 98, text: statusText }),
    userColumn('username', 'user_id', { label: '买家', width: 80 }),
    customColumn('money', '金额', (row: StaffOrder) => <Money order={row} />, {
      width: 84,
      sort: true,
      text: moneyText,
    }),
    numberColumn('amount', { label: <CreditName />, width: 68, sort: true }),
    customColumn('received_money', '实收', (row: StaffOrder) => receivedText(row) || dash, {
      width: 90,
      hiddenByDefault: true,
      text: receivedText,
    }),
    // The difference of cash and transfers, as staff have counted them.
    customColumn('difference_money', '差额', (row: StaffOrder) => differenceText(row) || dash, {
      width: 90,
      text: signedText,
    }),
    customColumn('payment_type', '支付方式', (row: StaffOrder) => <PaidWith order={row} />, {
      width: 88,
      text: ({ payment_title }: StaffOrder) => payment_title,
    }),
    timeColumn('created_at', { label: '下单时间', sort: true }),
    timeColumn('paid_at', { label: '支付时间', sort: true }),
    longTextColumn('remark', { label: '备注' }),
    // The money has it too; exported sums need it apart.
    customColumn('refunded_money', '已退款', (row: StaffOrder) => <TakenBack order={row} text={refundedText} />, {
      width: 90,
      text: (row: StaffOrder) => refundedText(row, '个').replace('¥', ''),
    }),
    customColumn('withdrawn_credits', '已收回', (row: StaffOrder) => <TakenBack order={row} text={withdrawnText} />, {
      width: 90,
      text: (row: StaffOrder) => withdrawnText(row, '个'),
    }),
    longTextColumn('claim', { label: '付款说明', hiddenByDefault: true }),
    { key: 'ip', label: 'IP', width: 120, hiddenByDefault: true },
  ],
  filters: [
    'wd',
    select('status', '状态', orderStatusLabels),
    select('order_type', '类型', orderTypeLabels),
    {
      key: 'payment_type',
      label: '支付方式',
      control: <MethodFilter />,
      filter: <MethodFilter placeholder="支付方式" />,
    },
    toggle('is_claimed', '待确认付款'),
    toggle('has_surplus', '多收款'),
    users('user_id', '买家'),
    dateRange('created_at', '下单时间', { isNamed: true }),
    dateRange('paid_at', '支付时间', { isNamed: true }),
  ],
  actions: [
    panel(api.detail, '详情', DetailDrawer),
    panel(api.confirm, '确认收款', ConfirmDialog, {
      disabledReason: ({ status }: StaffOrder) => (status === Pending ? undefined : '不是待支付的订单'),
    }),
    call(api.refuse, '未收到', {
      danger: true,
      startsEmpty: true,
      confirm: '买家会看到原因，仍可以重新付款或说明。',
      fields: [textarea('remark', '原因')],
      disabledReason: ({ claimed_at }: StaffOrder) => (claimed_at === null ? '买家没有说明付款' : undefined),
    }),
    panel(api.confirm, '补发', ConfirmDialog, {
      disabledReason: ({ status, has_surplus }: StaffOrder) =>
        status === Closed && has_surplus ? undefined : '没有关闭之后收到的款',
    }),
    panel(api.refund, '退款', RefundDialog, {
      danger: true,
      disabledReason: (row: StaffOrder) =>
        row.has_surplus || isPaidFor(row) ? findRefundProblem(row) : '买家没有付钱，只能撤回',
    }),
    panel(api.refund, '撤回', RefundDialog, {
      danger: true,
      disabledReason: (row: StaffOrder) =>
        row.has_surplus || isPaidFor(row) ? '买家付了钱，请用退款' : findRefundProblem(row),
    }),
    call(api.remark, '备注', { fields: [textarea('remark', '备注', { help: '只有管理人员能看到' })] }),
    call(api.closeByStaff, '关闭', {
      danger: true,
      startsEmpty: true,
      confirm: '买家不能再支付这个订单；已经在支付平台付了款的，会记为多收款，不会丢失。',
      fields: [textarea('remark', '原因')],
      disabledReason: ({ status }: StaffOrder) => (status === Pending ? undefined : '不是待支付的订单'),
    }),
  ],
  undeletable: ({ status, paid_at, has_surplus }) => {
    if (status === Pending) return '还没有支付，请先关闭'
    return paid_at !== null || has_surplus ? '支付过的订单是账目，不能删除' : undefined
  },
  rowName: ({ order_no }) => order_no,
})

function isPaidFor({ status, payment_type }: StaffOrder): boolean {
  return status !== Paid || givenBack(payment_type) !== 'nothing'
}

function findRefundProblem(row: StaffOrder): string | undefined {
  const state = takenBack(row)
  if (state === 'running') return '上一笔退款还没有结果'
  if (row.has_surplus) return undefined
  if (row.status !== Paid) return '没有可以退的款'
  return state === 'refunded' || state === 'withdrawn' ? '已经全部退款或撤回' : undefined
}

/** Nothing where no money was paid. */
function receivedText({ received_money }: StaffOrder): string {
  return received_money > 0 ? formatYuan(received_money) : ''
}

/** The difference as a number for sums: too little is below zero. */
function signedText({ difference_money: fen }: StaffOrder): string {
  return `${fen < 0 ? '-' : ''}${formatYuan(Math.abs(fen))}`
}

function statusText(row: StaffOrder): string {
  const { status, payment_type, claimed_at, has_surplus } = row
  const notes = [
    payment_type === PaymentMethod.Trial && '试运行',
    claimed_at !== null && '待确认付款',
    has_surplus && '多收款',
    takenBackLabel(row),
  ].filter(Boolean)
  return [orderStatusLabels[status], ...notes].join('，')
}

/** A choice of payment methods by the names that buyers see. */
function MethodFilter(props: SelectProps<PaymentMethod[]>) {
  const labels = methodLabels(useSite())
  const options = Object.values(PaymentMethod).map((value) => ({ value, label: labels[value] }))
  return <Select {...props} mode="multiple" maxTagCount="responsive" allowClear options={options} />
}

function Product({ order: { order_no, product_name, product_href } }: { order: StaffOrder }) {
  const name = product_href ? (
    <a href={product_href} target="_blank" rel="noreferrer">
      {product_name}
    </a>
  ) : (
    product_name
  )
  const number = (
    <>
      {order_no} <Typography.Text copyable={{ text: order_no, tooltips: ['复制订单号', '已复制'] }} />
    </>
  )
  return <TwoLines primary={name} secondary={number} />
}

function Status({ order }: { order: StaffOrder }) {
  const { status, payment_type, claimed_at, has_surplus } = order
  const back = takenBackLabel(order)
  return (
    <span className={cells.tags}>
      <Tag color={statusColors[status]} variant="filled">
        {orderStatusLabels[status]}
      </Tag>
      {payment_type === PaymentMethod.Trial && <Tag color="orange">试运行</Tag>}
      {claimed_at !== null && <Tag color="blue">待确认付款</Tag>}
      {has_surplus && <Tag color="red">多收款</Tag>}
      {back && <Tag>{back}</Tag>}
    </span>
  )
}

function PaidWith({ order: { payment_title, payment_icon } }: { order: StaffOrder }) {
  if (payment_title === '') return dash
  return (
    <>
      {payment_icon && <img src={payment_icon} alt="" className={styles.way} />}
      {payment_title}
    </>
  )
}

/** The amount taken back, in the owner's word for credits; a file has no room for it. */
function TakenBack({ order, text }: { order: StaffOrder; text: typeof refundedText | typeof withdrawnText }) {
  return text(order, useCreditName()) || dash
}

function Money({ order }: { order: StaffOrder }) {
  const [text, refunded] = [moneyText(order), refundedText(order, useCreditName())]
  const amount = text ? <span className={cells.numeric}>¥{text}</span> : dash
  return <TwoLines primary={amount} secondary={refunded && `已退 ${refunded}`} />
}
