import * as z from 'zod/mini'
import { del, get, permission, post, put } from '../endpoint.ts'
import { OrderStatus, OrderType, PaymentMethod } from '../enums.ts'
import {
  byId,
  code,
  count,
  flag,
  id,
  listInput,
  many,
  none,
  or,
  page,
  period,
  text,
  time,
  unsetTime,
} from '../fields.ts'
import { changes, settingsLimit } from './settings.ts'
import { UserVip } from './vip.ts'
import { maxTopUp } from '../top-up-bonus.ts'

const orderNo = z.string().check(z.trim(), z.regex(/^[0-9A-Za-z]{1,32}$/, '订单号不正确'))
const byOrderNo = z.object({ order_no: orderNo })

/** Prices and amounts are in credits, `money` is in fen. */
const Order = z.object({
  id,
  order_no: z.string(),
  order_type: code(OrderType),
  /** The document, or the card. */
  product_id: count(),
  product_name: z.string(),
  /** Of a document that still exists. */
  product_href: z.string(),
  quantity: count(),
  /** Before the discount. */
  price: count(),
  amount: count(),
  coupon_amount: count(),
  money: count(),
  /** The money received: more or less than `money` where staff have counted it; 0 while nothing was paid in money. */
  received_money: count(),
  /** Credits that a top-up brings beside those that are paid for. */
  bonus: count(),
  status: code(OrderStatus),
  /** 0 until it is paid. */
  payment_type: z.int(),
  /** How it was paid, in the owner's words. */
  payment_title: z.string(),
  /** The owner's picture for it; empty for one that all know. */
  payment_icon: z.string(),
  /** Paid after it was closed, or twice: staff grant or refund it. */
  has_surplus: flag,
  /** The amount given back so far; if nothing was paid for the order, the part of its price that was withdrawn. */
  refunded_money: count(),
  refunded_credits: count(),
  /** Credits of a top-up that were taken from the buyer again. */
  withdrawn_credits: count(),
  /** The provider has not answered yet. */
  is_refunding: flag,
  /** The buyer says that it was paid; staff will confirm it. */
  claimed_at: unsetTime,
  claim: z.string(),
  created_at: unsetTime,
  paid_at: unsetTime,
  closed_at: unsetTime,
  expired_at: unsetTime,
})
export type Order = z.output<typeof Order>

/** The time of the server: that of the device may be wrong. */
const now = time

const StaffOrder = z.extend(Order, {
  user_id: count(),
  username: z.string(),
  claim_picture: z.string(),
  /** The money received beyond what was due; below 0, the money that is missing. */
  difference_money: z.int(),
  remark: z.string(),
  ip: z.string(),
})
export type StaffOrder = z.output<typeof StaffOrder>

const OrderDetail = z.extend(StaffOrder, {
  /** The state of the code that paid the order, if it is given back: usable or unusable; empty if there is none. */
  download_code: z.string(),
  payment: z.array(
    z.object({
      id,
      attempt_no: z.string(),
      provider: z.string(),
      payment_type: code(PaymentMethod),
      /** open, paid, surplus or closed. */
      state: z.string(),
      money: count(),
      transaction_id: z.string(),
      answer: z.string(),
      asked_count: count(),
      created_at: unsetTime,
      paid_at: unsetTime,
    }),
  ),
  notice: z.array(
    z.object({ id, attempt_no: z.string(), outcome: z.string(), detail: z.string(), created_at: unsetTime }),
  ),
  refund: z.array(
    z.object({
      id,
      refund_no: z.string(),
      money: count(),
      credits: count(),
      /** The credits taken from the buyer of a top-up, or from the author, and those that could not be taken. */
      taken_credits: count(),
      missing_credits: count(),
      /** processing, done or refused. */
      state: z.string(),
      reason: z.string(),
      answer: z.string(),
      username: z.string(),
      created_at: unsetTime,
    }),
  ),
})
export type OrderDetail = z.output<typeof OrderDetail>

/** How the buyer pays. */
export const PayInstruction = z.object({
  kind: z.enum(['qrcode', 'redirect', 'jsapi', 'offline']),
  /** What the QR code contains, or where to go. */
  content: or(z.string(), ''),
  /** For the payment call of the browser inside WeChat. */
  parameters: z.optional(z.record(z.string(), z.string())),
  /** The owner's instructions. */
  text: or(z.string(), ''),
  // The same for the mini program, which spreads them from here into its own.
  timeStamp: z.optional(z.string()),
  nonceStr: z.optional(z.string()),
  package: z.optional(z.string()),
  signType: z.optional(z.string()),
  paySign: z.optional(z.string()),
})

const filters = {
  status: many(code(OrderStatus)),
  order_type: many(code(OrderType)),
  payment_type: many(code(PaymentMethod)),
}

const Difference = z.object({
  id,
  provider: z.string(),
  day: z.string(),
  /** missing-here, missing-there or other-amount. */
  kind: z.string(),
  /** payment or refund. */
  entry: z.string(),
  attempt_no: z.string(),
  transaction_id: z.string(),
  order_no: z.string(),
  our_money: count(),
  their_money: count(),
  is_handled: flag,
  remark: z.string(),
  created_at: unsetTime,
})

/** The providers whose settings can be tried. */
export const testedProviders = ['wechat', 'alipay', 'third'] as const

export const orders = {
  create: post('/order', {
    summary: '下单：文档、VIP（product_id 0 年卡，1 季卡，2 月卡）或充值（quantity 个积分）；status 为 2 时不用付款',
    access: 'member',
    input: z.object({
      order_type: code(OrderType),
      product_id: or(count(), 0),
      quantity: or(count(maxTopUp), 0),
    }),
    reply: z.object({ order_no: z.string(), status: code(OrderStatus) }),
  }),
  get: get('/order', {
    summary: '我的一个订单',
    access: 'member',
    input: byOrderNo,
    reply: z.extend(Order, { now }),
  }),
  status: get('/order/status', {
    summary: '订单的状态，付款页面会反复询问',
    access: 'member',
    input: byOrderNo,
    reply: z.object({ status: code(OrderStatus), has_surplus: flag }),
  }),
  check: put('/order/check', {
    summary: '从支付平台回来：现在就向它核实，结果见订单的状态',
    access: 'member',
    input: byOrderNo,
    reply: none,
  }),
  methods: get('/order/methods', {
    summary: '这个订单可以用哪些方式支付',
    access: 'member',
    input: byOrderNo,
    reply: z.object({
      balance: z.int(),
      method: z.array(
        z.object({
          payment_type: code(PaymentMethod),
          title: z.string(),
          /** The owner's picture for it; empty for one that all know. */
          icon: z.string(),
          is_trial: flag,
        }),
      ),
    }),
  }),
  pay: post('/order/pay', {
    summary: '支付：积分和下载码当时结清，其他方式得到付款的办法（extra）',
    access: 'member',
    input: z.object({
      order_no: orderNo,
      payment_type: code(PaymentMethod),
      /** A fresh login code of the mini program. */
      minicode: or(text(200), ''),
      downcode: or(text(40), ''),
      /** What the browser inside WeChat came back with. */
      wechat_code: or(text(200), ''),
    }),
    reply: z.object({ extra: z.optional(PayInstruction) }),
  }),
  claim: post('/order/claim', {
    summary: '告诉网站已经线下付款，等待确认',
    access: 'member',
    input: z.object({
      order_no: orderNo,
      payment_type: code(PaymentMethod),
      content: text(500, 1),
      picture: or(z.string().check(z.regex(/^(\/uploads\/(?!.*\.\.)[\w./-]{1,240}|)$/, '请上传付款凭证的图片')), ''),
    }),
    reply: none,
  }),
  close: put('/order/close', { summary: '关闭未支付的订单', access: 'member', input: byOrderNo, reply: none }),
  delete: del('/order', {
    summary: '从列表里去掉已支付或已关闭的订单；管理人员删除订单需要权限',
    access: 'member',
    staffMayActForOthers: true,
    /** The mobile client names an order by its number. */
    input: z.object({ id: many(id), order_no: or(z.union([orderNo, z.literal('')]), '') }),
    reply: none,
  }),
  own: get('/user/order', {
    summary: '我的订单，新的在前',
    access: 'member',
    input: listInput({ ...filters, created_at: period }),
    reply: z.extend(page('order', Order), { now }),
  }),
  ownVip: get('/user/vip/order', {
    summary: '我的 VIP 订单，新的在前；给出 order_no 时是这一个订单，并在顶层给出它的卡',
    access: 'member',
    input: listInput({
      status: filters.status,
      payment_type: filters.payment_type,
      created_at: period,
      order_no: or(z.union([orderNo, z.literal('')]), ''),
    }),
    reply: z.extend(page('order', Order), { now, ...z.partial(UserVip).shape }),
  }),
  list: get('/order/list', {
    summary: '订单列表',
    access: permission('OrderAPI/ListOrder'),
    input: listInput({
      ...filters,
      user_id: many(id),
      created_at: period,
      paid_at: period,
      has_surplus: z.optional(flag),
      is_claimed: z.optional(flag),
    }),
    reply: z.extend(page('order', StaffOrder), {
      /** Over everything that is filtered: paid, less what went back. */
      money: count(Number.MAX_SAFE_INTEGER),
      credits: count(Number.MAX_SAFE_INTEGER),
    }),
  }),
  detail: get('/order/detail', {
    summary: '订单和它的每次支付、通知和退款',
    access: permission('OrderAPI/GetOrder'),
    input: byId,
    reply: OrderDetail,
  }),
  sums: get('/order/sums', {
    summary: '每天的收入，按支付方式',
    access: permission('OrderAPI/ListOrder'),
    input: z.object({ paid_at: period }),
    reply: z.object({
      day: z.array(
        z.object({
          day: z.string(),
          payment_type: z.int(),
          payment_title: z.string(),
          count: count(),
          money: count(Number.MAX_SAFE_INTEGER),
        }),
      ),
    }),
  }),
  remark: put('/order/remark', {
    summary: '备注订单，只有管理人员看得到',
    access: permission('OrderAPI/UpdateOrder'),
    input: z.object({ id, remark: text(500) }),
    reply: none,
  }),
  confirm: put('/order/confirm', {
    summary: '确认线下付款，或者把关闭之后才付的订单发放给买家',
    access: permission('OrderAPI/UpdateOrder'),
    input: z.object({
      id,
      payment_type: z.optional(code(PaymentMethod)),
      /** The sum in fen, by default all that is due. What is too much or too little is booked with the order. */
      received_money: z.optional(count().check(z.positive('请输入收到的金额'))),
      remark: or(text(500), ''),
    }),
    reply: none,
  }),
  refuse: put('/order/refuse', {
    summary: '没有收到线下付款：拒绝买家的说明，订单继续等待支付',
    access: permission('OrderAPI/UpdateOrder'),
    input: z.object({ id, remark: text(500, 1) }),
    reply: none,
  }),
  closeByStaff: put('/order/closebystaff', {
    summary: '关闭别人未支付的订单',
    access: permission('OrderAPI/UpdateOrder'),
    input: z.object({ id, remark: text(500, 1) }),
    reply: none,
  }),
  refund: post('/order/refund', {
    summary:
      '退款，全部或一部分：用钱支付的订单为分，其他为积分；没有收钱的订单（下载码、系统充值、看广告、试运行）是撤回，文档只能整个撤回；key 相同的请求只算一次',
    access: permission('OrderAPI/RefundOrder'),
    input: z.object({
      id,
      /** The attempt whose money goes back; the one that paid the order by default. */
      payment_id: or(count(), 0),
      /** The money went back in the provider's own back office: it is only recorded here. */
      is_outside: or(flag, false),
      amount: count().check(z.positive('请输入要退款或撤回的数额')),
      reason: text(200, 1),
      key: text(64, 8),
    }),
    reply: z.object({ state: z.string(), message: z.string() }),
  }),
  trialOrders: get('/order/trial', {
    summary: '试运行付的订单里还没有收回的，新的在前',
    access: permission('OrderAPI/RefundOrder'),
    input: none,
    reply: z.object({ order: z.array(StaffOrder) }),
  }),
  withdrawTrial: post('/order/trial/withdraw', {
    summary: '收回试运行发放的一切：积分、VIP 卡、文档和作者的所得',
    access: permission('OrderAPI/RefundOrder'),
    input: none,
    reply: z.object({
      withdrawn: count(),
      /** Credits that were spent already. */
      missing_credits: count(),
    }),
  }),
  systemTopUp: post('/order/system/recharge', {
    summary: '给用户充值积分，记为系统充值的订单；同一个管理人员的 key 相同的请求只算一次',
    access: permission('OrderAPI/RechargeOrder'),
    input: z.object({
      user_id: id,
      amount: count(maxTopUp).check(z.positive('请输入充值的数量')),
      remark: text(200, 1),
      /** Of one request, however often it is sent. */
      key: or(text(64), ''),
    }),
    reply: z.object({ order_no: z.string() }),
  }),
  opportunities: get('/user/rewarded/opportunities', {
    summary: '今天还能看几次广告；也是一次观看的开始',
    access: 'member',
    input: none,
    reply: z.object({
      enable: flag,
      /** To pay an order by watching: never, as an author's price is not the site's to give away. */
      download_times: count(),
      /** To earn credits by watching. */
      credit_times: count(),
      /** For each advertisement. */
      credit_count: count(),
      /** How long it has to be watched. */
      seconds: count(),
    }),
  }),
  watched: put('/user/rewarded/credit', {
    summary: '看完了广告，得到积分',
    access: 'member',
    input: z.object({ adunit_id: or(text(100), '') }),
    reply: z.object({ order_no: z.string(), credits: count() }),
  }),
  differences: get('/order/difference/list', {
    summary: '对账的差异',
    access: permission('OrderAPI/ListOrder'),
    input: listInput({ is_handled: z.optional(flag) }),
    reply: page('difference', Difference),
  }),
  handleDifference: put('/order/difference', {
    summary: '把对账的差异记为已处理',
    access: permission('OrderAPI/UpdateOrder'),
    input: z.object({ id, remark: text(500, 1) }),
    reply: none,
  }),
  reconcile: post('/order/reconcile', {
    summary: '立即对账：比较支付平台已经出了而还没有比较过的账单',
    access: permission('OrderAPI/UpdateOrder'),
    input: none,
    reply: z.object({ bills: count(), differences: count() }),
  }),
  testProvider: post('/order/provider/test', {
    summary: '试用支付平台的设置；用给出的值，不保存，不收款',
    access: permission('ConfigAPI/UpdateConfig'),
    bodyLimit: settingsLimit,
    input: z.object({ provider: z.enum(testedProviders), config: or(changes, []) }),
    reply: z.object({ message: z.string() }),
  }),
  wechatKeys: get('/wechatpay/cert', {
    summary: '现有的微信支付公钥和平台证书，以及它们的有效期',
    access: permission('ConfigAPI/ListConfig'),
    input: none,
    reply: z.object({
      cert: z.array(
        z.object({
          serial_no: z.string(),
          /** public_key or certificate. */
          kind: z.string(),
          /** A public key does not expire. */
          expired_at: unsetTime,
        }),
      ),
      /** Why there are none, or no newer ones. */
      message: z.string(),
    }),
  }),
}
