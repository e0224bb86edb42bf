import type { JobHandlers, JobSchedule } from '#server/jobs.ts'
import { askAboutPayment } from '#server/modules/orders/paying/ask.ts'
import { endAttempts, expireOrder } from '#server/modules/orders/paying/close.ts'
import { reconcile } from './reconcile.ts'
import { sweepOrders } from './sweep.ts'
import { askAboutRefund } from '#server/modules/orders/refunds/refund.ts'

export const orderJobs: Pick<JobHandlers, OrderJob> = {
  'orders.expire': (ctx, { order }) => expireOrder(ctx, order),
  'orders.end-attempts': (ctx, { order }) => endAttempts(ctx, order),
  'orders.ask-payment': (ctx, { payment }) => askAboutPayment(ctx, payment),
  'orders.ask-refund': (ctx, { refund }) => askAboutRefund(ctx, refund),
  'orders.sweep': sweepOrders,
  'orders.reconcile': async (ctx) => void (await reconcile(ctx)),
}

type OrderJob =
  | 'orders.expire'
  | 'orders.end-attempts'
  | 'orders.ask-payment'
  | 'orders.ask-refund'
  | 'orders.sweep'
  | 'orders.reconcile'

export const orderSchedules: JobSchedule[] = [
  { kind: 'orders.sweep', everyMs: 10 * 60_000 },
  { kind: 'orders.reconcile', everyMs: 60 * 60_000 },
]
