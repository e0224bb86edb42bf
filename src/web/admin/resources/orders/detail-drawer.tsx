import { Drawer, Image, Tag, Typography } from 'antd'
import { type ReactNode, useId } from 'react'
import { contract } from '#shared/contract/contract.ts'
import type { OrderDetail, StaffOrder } from '#shared/contract/orders.ts'
import { OrderStatus, orderStatusLabels, OrderType, orderTypeLabels, PaymentMethod } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import { differenceText, givenBack, paidText, refundedText, withdrawnText } from '#shared/order-texts.ts'
import { formatYuan } from '#shared/prices.ts'
import { UserLink } from '#web/admin/cells.tsx'
import engine from '#web/admin/engine/engine.module.css'
import { QueryState } from '#web/admin/engine/query-state.tsx'
import type { PanelProps } from '#web/admin/resource.ts'
import styles from '#web/admin/resources/orders/orders.module.css'
import {
  attemptStates,
  nameOf,
  noticeOutcomes,
  providerNames,
  refundStates,
  statusColors,
  takenBackLabel,
} from '#web/admin/resources/orders/words.ts'
import { useCreditName } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

/** An order with every attempt to pay it, every notice and every refund. */
export function DetailDrawer({ row, onClose }: PanelProps<StaffOrder>) {
  const query = useQuery(row.id, () => api(contract.orders.detail, { id: row.id }))
  return (
    <Drawer
      open
      title={
        <Typography.Text strong copyable={{ text: row.order_no, tooltips: ['复制订单号', '已复制'] }}>
          订单 {row.order_no}
        </Typography.Text>
      }
      size={760}
      onClose={onClose}
    >
      <QueryState query={query}>{(detail) => <Detail order={detail} />}</QueryState>
    </Drawer>
  )
}

function Detail({ order }: { order: OrderDetail }) {
  const credit = useCreditName()
  const facts: Fact[] = [
    ['商品', order.product_name],
    ['类型', orderTypeLabels[order.order_type]],
    ['状态', <StatusTag key="status" order={order} />],
    ['买家', <UserLink key="buyer" id={order.user_id} name={order.username} />],
    ['原价', order.price > order.amount ? `${order.price} ${credit}` : ''],
    ['应付', dueText(order, credit)],
    ['赠送', order.bonus > 0 ? `${order.bonus} ${credit}` : ''],
    ['支付方式', order.payment_title],
    ['实收', receivedText(order)],
    ['已退款', refundedText(order, credit)],
    ['已收回', withdrawnText(order, credit)],
    ['下单时间', timeText(order.created_at)],
    ['支付时间', timeText(order.paid_at)],
    ['关闭时间', timeText(order.closed_at)],
    ['过期时间', order.status === OrderStatus.Pending ? timeText(order.expired_at) : ''],
    ['下单 IP', order.ip],
    ['付款说明', order.claim],
    ['备注', order.remark],
  ]
  return (
    <>
      <FactList facts={facts} />
      {order.claim_picture && (
        <div className={styles.proof}>
          <Image src={order.claim_picture} alt="付款凭证" width={200} />
        </div>
      )}
      <Entries
        title="支付"
        empty="没有通过支付平台付款"
        entries={order.payment.map((payment) => ({
          id: payment.id,
          title: `${nameOf(providerNames, payment.provider)} ${formatYuan(payment.money)} 元`,
          state: <Tag color={attemptColors[payment.state]}>{nameOf(attemptStates, payment.state)}</Tag>,
          at: payment.paid_at ?? payment.created_at,
          facts: [
            ['我们的单号', payment.attempt_no],
            ['平台的单号', payment.transaction_id],
            ['平台的回答', payment.answer],
            ['询问过', `${payment.asked_count} 次`],
          ],
        }))}
      />
      <Entries
        title="通知"
        empty="没有收到支付平台的通知"
        entries={order.notice.map((notice) => ({
          id: notice.id,
          title: notice.detail || '收到通知',
          state: <Tag color={outcomeColors[notice.outcome]}>{nameOf(noticeOutcomes, notice.outcome)}</Tag>,
          at: notice.created_at,
          facts: [['我们的单号', notice.attempt_no]],
        }))}
      />
      <Entries
        title={isGift(order) ? '撤回' : '退款'}
        empty={isGift(order) ? '没有撤回' : '没有退款'}
        entries={order.refund.map((refund) => ({
          id: refund.id,
          title: refund.money > 0 ? `${formatYuan(refund.money)} 元` : `${refund.credits} ${credit}`,
          state: <Tag color={refundColors[refund.state]}>{refundState(order, refund.state)}</Tag>,
          at: refund.created_at,
          facts: [
            ['原因', refund.reason],
            ['经办人', refund.username],
            [
              order.order_type === OrderType.TopUp ? '从买家扣回' : '从作者扣回',
              refund.taken_credits > 0 ? `${refund.taken_credits} ${credit}` : '',
            ],
            ['没能扣回', refund.missing_credits > 0 ? `${refund.missing_credits} ${credit}` : ''],
            [refund.money > 0 ? '平台的回答' : '结果', refund.answer],
            ['单号', refund.refund_no],
          ],
        }))}
      />
    </>
  )
}

type Fact = [string, ReactNode]

/** Those that are not empty. */
function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={engine.facts}>
      {facts
        .filter(([, value]) => value !== '')
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

interface Entry {
  id: number
  title: string
  state: ReactNode
  at: number | null
  facts: Fact[]
}

/** What happened one after the other: long numbers and answers have room, on a phone too. */
function Entries({ title, empty, entries }: { title: string; empty: string; entries: readonly Entry[] }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={styles.heading}>
        {title}
      </h3>
      {entries.length === 0 && <Typography.Text type="secondary">{empty}</Typography.Text>}
      <ul className={styles.entries}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <p className={styles.entryHead}>
              <strong>{entry.title}</strong>
              {entry.state}
              <time>{timeText(entry.at)}</time>
            </p>
            <FactList facts={entry.facts} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const attemptColors: Record<string, string> = { open: 'gold', paid: 'green', surplus: 'red' }
const outcomeColors: Record<string, string> = { settled: 'green', surplus: 'red', refused: 'red' }
const refundColors: Record<string, string> = { processing: 'gold', done: 'green', refused: 'red' }

function StatusTag({ order }: { order: OrderDetail }) {
  const { status, payment_type, has_surplus } = order
  const back = takenBackLabel(order)
  return (
    <>
      <Tag color={statusColors[status]} variant="filled">
        {orderStatusLabels[status]}
      </Tag>
      {payment_type === PaymentMethod.Trial && <Tag color="orange">试运行</Tag>}
      {has_surplus && <Tag color="red">多收款</Tag>}
      {back && <Tag>{back}</Tag>}
    </>
  )
}

/** The sum as it was asked for, whatever it was paid with in the end. */
function dueText(order: OrderDetail, credit: string): string {
  const isGiven = order.order_type === OrderType.TopUp && order.money === 0
  return isGiven ? '' : paidText({ ...order, status: OrderStatus.Pending }, credit)
}

function receivedText(order: OrderDetail): string {
  if (order.received_money === 0) return ''
  return [`${formatYuan(order.received_money)} 元`, differenceText(order)].filter(Boolean).join('，')
}

function timeText(at: number | null): string {
  return at ? formatTime(at) : ''
}

/** Nothing was paid for it. */
function isGift({ status, payment_type }: OrderDetail): boolean {
  return status === OrderStatus.Paid && givenBack(payment_type) === 'nothing'
}

function refundState(order: OrderDetail, state: string): string {
  return isGift(order) && state === 'done' ? '已撤回' : nameOf(refundStates, state)
}
