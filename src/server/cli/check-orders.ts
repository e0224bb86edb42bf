import { type RawBuilder, sql } from 'kysely'
import { OrderStatus, OrderType, PaymentMethod } from '#shared/enums.ts'
import type { Ctx } from '../context.ts'

/** What must hold between orders, payments, the ledger and what was granted: each finds the orders for which it does not. */
const rules: readonly { what: string; broken: RawBuilder<{ order_no: string }> }[] = [
  rule(
    '已支付的文档订单没有发放',
    sql`o.status = ${paid()} and o.type = ${type(OrderType.Document)}
    and not exists (select 1 from document_grant as g where g.order_id = o.id)`,
  ),
  rule(
    '已支付的 VIP 订单没有发放',
    sql`o.status = ${paid()} and o.type = ${type(OrderType.Vip)}
    and not exists (select 1 from user_vip as v where v.order_no = o.order_no)`,
  ),
  rule(
    '已支付的充值订单没有到账',
    sql`o.status = ${paid()} and o.type = ${type(OrderType.TopUp)}
    and not exists (select 1 from credit_entry as e where e.key = 'top-up:' || o.id and e.amount = o.quantity)`,
  ),
  rule(
    '没有支付的订单发放了文档',
    sql`o.status <> ${paid()}
    and exists (select 1 from document_grant as g where g.order_id = o.id)`,
  ),
  rule(
    '没有支付的订单发放了 VIP',
    sql`o.status <> ${paid()}
    and exists (select 1 from user_vip as v where v.order_no = o.order_no)`,
  ),
  rule(
    '没有支付的订单充值到账',
    sql`o.status <> ${paid()}
    and exists (select 1 from credit_entry as e where e.key = 'top-up:' || o.id)`,
  ),
  rule(
    '用余额支付的订单没有扣除余额',
    sql`o.status = ${paid()} and o.payment_method = ${method(PaymentMethod.Credits)}
    and o.amount > 0
    and not exists (select 1 from credit_entry as e where e.key = 'order:' || o.id and e.amount = -o.amount)`,
  ),
  rule(
    '没有支付的订单扣除了余额',
    sql`o.status <> ${paid()}
    and exists (select 1 from credit_entry as e where e.key = 'order:' || o.id)`,
  ),
  // Once all of the order is withdrawn, it may be unused again.
  rule(
    '用下载码支付的订单没有用掉一个下载码',
    sql`o.status = ${paid()} and o.payment_method = ${method(PaymentMethod.DownloadCode)}
    and o.refunded_credits < o.amount
    and (select count(*) from download_code as c where c.order_id = o.id) <> 1`,
  ),
  rule(
    '没有支付的订单用掉了下载码',
    sql`o.status <> ${paid()}
    and exists (select 1 from download_code as c where c.order_id = o.id)`,
  ),
  rule(
    '在线支付的订单没有收款',
    sql`o.status = ${paid()}
    and o.payment_method in (${method(PaymentMethod.WeChatPay)}, ${method(PaymentMethod.Alipay)}, ${method(PaymentMethod.ThirdParty)})
    and not exists (select 1 from payment as p where p.order_id = o.id and p.state = 'paid' and p.money = o.money)`,
  ),
  rule(
    '收了款的订单没有支付',
    sql`o.status <> ${paid()}
    and exists (select 1 from payment as p where p.order_id = o.id and p.state = 'paid')`,
  ),
  rule(
    '一个订单用两笔收款支付',
    sql`(select count(*) from payment as p where p.order_id = o.id and p.state = 'paid') > 1`,
  ),
  rule(
    '多收的款没有标出',
    sql`o.has_surplus = 0 and exists (select 1 from payment as p
    where p.order_id = o.id and p.state = 'surplus' and p.money > coalesce((select sum(r.money) from refund as r
      where r.payment_id = p.id and r.state = 'done'), 0))`,
  ),
  rule(
    '退款超过收款',
    sql`exists (select 1 from payment as p where p.order_id = o.id and p.money < coalesce((select sum(r.money)
    from refund as r where r.payment_id = p.id and r.state <> 'refused'), 0))`,
  ),
  rule(
    '全部退款的订单没有收回文档',
    sql`o.type = ${type(OrderType.Document)} and o.status = ${paid()} and o.amount > 0
    and (o.refunded_credits >= o.amount or (o.money > 0 and o.refunded_money >= coalesce(o.received_money, o.money)))
    and not exists (select 1 from refund as r where r.order_id = o.id and r.state = 'processing')
    and exists (select 1 from document_grant as g where g.order_id = o.id and g.revoked_at is null)`,
  ),
  rule(
    '余额退款与订单记录不符',
    sql`o.refunded_credits <> coalesce((select sum(r.credits) from refund as r
    where r.order_id = o.id and r.state <> 'refused'), 0)`,
  ),
  rule(
    '退款与订单记录不符',
    sql`o.refunded_money <> coalesce((select sum(r.money) from refund as r
    left join payment as p on p.id = r.payment_id
    where r.order_id = o.id and r.state <> 'refused' and coalesce(p.state, '') <> 'surplus'), 0)`,
  ),
]

export interface BrokenOrder {
  what: string
  orderNo: string
}

export async function* findBrokenOrders({ db }: Ctx): AsyncGenerator<BrokenOrder> {
  for (const { what, broken } of rules) {
    const { rows } = await broken.execute(db)
    for (const { order_no } of rows) yield { what, orderNo: order_no }
  }
}

function rule(what: string, condition: RawBuilder<unknown>) {
  return {
    what,
    broken: sql<{ order_no: string }>`select o.order_no from "order" as o where ${condition} order by o.id`,
  }
}

function paid() {
  return sql.lit(OrderStatus.Paid)
}

function type(value: OrderType) {
  return sql.lit(value)
}

function method(value: PaymentMethod) {
  return sql.lit(value)
}
