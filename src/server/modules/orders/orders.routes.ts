import type { orders } from '#shared/contract/orders.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { checkOrder } from '#server/modules/orders/paying/ask.ts'
import { claimPayment } from '#server/modules/orders/paying/claim.ts'
import { closeOrder } from '#server/modules/orders/paying/close.ts'
import { withCeiling } from '#server/modules/outlays/outlays.ts'
import { createOrder } from './orders.create.ts'
import { getDetail, getOrder, getStatus, listOrders, listOwnOrders, listOwnVipOrders, sumByDay } from './orders.list.ts'
import { getOwnOrder } from './orders.queries.ts'
import { closeByStaff, confirmOrder, deleteOrders, rejectClaim, remarkOrder, topUpBySystem } from './orders.staff.ts'
import { listMethods, payOrder } from '#server/modules/orders/paying/pay.ts'
import { listWeChatKeys, testProvider } from '#server/modules/orders/paying/provider-settings.ts'
import { listOpportunities, rewardWatching } from '#server/modules/orders/paying/rewarded.ts'
import { handleDifference, listDifferences } from './differences.ts'
import { reconcileNow } from './reconcile.ts'
import { refundOrder } from '#server/modules/orders/refunds/refund.ts'
import { listTrialOrders, withdrawTrial } from './trial.ts'

export const orderRoutes: Handlers<typeof orders> = {
  create: createOrder,
  get: getOrder,
  status: getStatus,
  check: emptyReply(checkOrder),
  methods: listMethods,
  pay: payOrder,
  claim: emptyReply(claimPayment),
  close: emptyReply(async (ctx, { order_no }) => closeOrder(ctx, (await getOwnOrder(ctx, order_no)).id)),
  delete: emptyReply(deleteOrders),
  own: listOwnOrders,
  ownVip: listOwnVipOrders,
  list: listOrders,
  detail: getDetail,
  sums: sumByDay,
  remark: emptyReply(remarkOrder),
  confirm: emptyReply(confirmOrder),
  refuse: emptyReply(rejectClaim),
  closeByStaff: emptyReply(closeByStaff),
  refund: withCeiling(refundOrder),
  trialOrders: listTrialOrders,
  withdrawTrial,
  systemTopUp: withCeiling(topUpBySystem),
  opportunities: listOpportunities,
  watched: rewardWatching,
  differences: listDifferences,
  handleDifference: emptyReply(handleDifference),
  reconcile: reconcileNow,
  testProvider,
  wechatKeys: listWeChatKeys,
}
