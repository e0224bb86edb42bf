import { Drawer, Image, Table, Tag } from 'antd'
import type { ReactNode } from 'react'
import { contract } from '#shared/contract/contract.ts'
import type { OrderDetail, StaffOrder } from '#shared/contract/orders.ts'
import { OrderStatus, orderStatusLabels, orderTypeLabels, paymentMethodLabels } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
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
} from '#web/admin/resources/orders/words.ts'
import { useCreditName } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

/** An order with every attempt to pay it, every notice and every refund. */
export function DetailDrawer({ row, onClose }: PanelProps<StaffOrder>) {
  const query = useQuery(row.id, () => api(contract.orders.detail, { id: row.id }))
  return (
    <Drawer open title={`订单 ${row.order_no}`} size={760} onClose={onClose}>
      <QueryState query={query}>{(detail) => <Detail order={detail} />}</QueryState>
    </Drawer>
  )
}

function Detail({ order }: { order: OrderDetail }) {
  const credit = useCreditName()
  const methods: Record<number, string> = paymentMethodLabels
  const facts: [string, ReactNode][] = [
    ['商品', order.product_name],
    ['类型', orderTypeLabels[order.order_type]],
    ['状态', <StatusTag key="status" order={order} />],
    ['买家', <UserLink key="buyer" id={order.user_id} name={order.username} />],
    ['原价', `${order.price} ${credit}`],
    ['应付', `${order.amount} ${credit}，或 ${formatYuan(order.money)} 元`],
    ['赠送', order.bonus > 0 ? `${order.bonus} ${credit}` : ''],
    ['支付方式', methods[order.payment_type] ?? ''],
    ['已退', refundText(order, credit)],
    ['下单时间', timeText(order.created_at)],
    ['支付时间', timeText(order.paid_at)],
    ['关闭时间', timeText(order.closed_at)],
    ['过期时间', order.status === OrderStatus.Pending ? timeText(order.expired_at) : ''],
    ['下单 IP', order.ip],
    ['备注', order.remark],
    ['付款说明', order.claim],
  ]
  return (
    <>
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
      {order.claim_picture && <Image src={order.claim_picture} alt="付款凭证" width={200} />}
      <h3 className={styles.heading}>支付</h3>
      <Table
        size="small"
        rowKey="id"
        pagination={false}
        scroll={{ x: 'max-content' }}
        locale={{ emptyText: '没有通过支付平台付款' }}
        dataSource={order.payment}
        columns={[
          { title: '平台', dataIndex: 'provider', render: (name: string) => nameOf(providerNames, name) },
          { title: '状态', dataIndex: 'state', render: (state: string) => nameOf(attemptStates, state) },
          { title: '金额（元）', dataIndex: 'money', align: 'right', render: formatYuan },
          { title: '时间', render: (_, row) => timeText(row.paid_at ?? row.created_at) },
          { title: '我们的单号', dataIndex: 'attempt_no' },
          { title: '平台的单号', dataIndex: 'transaction_id' },
          { title: '平台的回答', dataIndex: 'answer' },
          { title: '问过', dataIndex: 'asked_count', render: (times: number) => `${times} 次` },
        ]}
      />
      <h3 className={styles.heading}>通知</h3>
      <Table
        size="small"
        rowKey="id"
        pagination={false}
        scroll={{ x: 'max-content' }}
        locale={{ emptyText: '没有收到支付平台的通知' }}
        dataSource={order.notice}
        columns={[
          { title: '时间', dataIndex: 'created_at', render: timeText },
          { title: '结果', dataIndex: 'outcome', render: (outcome: string) => nameOf(noticeOutcomes, outcome) },
          { title: '我们的单号', dataIndex: 'attempt_no' },
          { title: '说明', dataIndex: 'detail' },
        ]}
      />
      <h3 className={styles.heading}>退款</h3>
      <Table
        size="small"
        rowKey="id"
        pagination={false}
        scroll={{ x: 'max-content' }}
        locale={{ emptyText: '没有退款' }}
        dataSource={order.refund}
        columns={[
          { title: '时间', dataIndex: 'created_at', render: timeText },
          { title: '状态', dataIndex: 'state', render: (state: string) => nameOf(refundStates, state) },
          {
            title: '退还',
            render: (_, { money, credits }) => (money > 0 ? `${formatYuan(money)} 元` : `${credits} ${credit}`),
          },
          { title: '没能扣回', dataIndex: 'missing_credits', render: (n: number) => (n > 0 ? `${n} ${credit}` : '—') },
          { title: '原因', dataIndex: 'reason' },
          { title: '经办人', dataIndex: 'username' },
          { title: '平台的回答', dataIndex: 'answer' },
          { title: '退款单号', dataIndex: 'refund_no' },
        ]}
      />
    </>
  )
}

function StatusTag({ order: { status, has_surplus } }: { order: OrderDetail }) {
  return (
    <>
      <Tag variant="filled">{orderStatusLabels[status]}</Tag>
      {has_surplus && <Tag color="red">多收款</Tag>}
    </>
  )
}

function timeText(at: number | null): string {
  return at ? formatTime(at) : ''
}

function refundText({ refunded_money, refunded_credits }: OrderDetail, credit: string): string {
  if (refunded_money > 0) return `${formatYuan(refunded_money)} 元`
  return refunded_credits > 0 ? `${refunded_credits} ${credit}` : ''
}
