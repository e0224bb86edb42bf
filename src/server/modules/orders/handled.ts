import type { Ctx } from '#server/context.ts'
import { type DurablePayload, publish } from '#server/durable-events.ts'

type Handled = DurablePayload<'order.handled'>
type Amounts = Pick<Handled, 'money' | 'credits' | 'reason'>

/** The listener tells the buyer. Call it in the transaction that does it. */
export function publishHandling(ctx: Ctx, handled: Omit<Handled, keyof Amounts> & Partial<Amounts>): Promise<void> {
  return publish(ctx, 'order.handled', { money: 0, credits: 0, reason: '', ...handled })
}
