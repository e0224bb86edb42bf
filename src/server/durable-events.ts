import * as z from 'zod/mini'
import { ContentType, ReviewStatus } from '#shared/enums.ts'
import { code } from '#shared/fields.ts'
import type { Ctx } from './context.ts'
import { enqueue, type JobHandlers } from './jobs.ts'

/** Of rows. */
const ids = z.array(z.int())
/** For events that happen more than once to the same thing: tells one from the next, and is the same when it is delivered again. */
const key = z.string()

/**
 * Events that a listener must not miss (webhooks and notifications are such listeners). The row of the job that delivers
 * one is written in the transaction that does the thing: it is delivered at least once, or the thing did not happen.
 * Listeners are idempotent. For caches, which may miss an event, there is `events.ts`.
 */
const durableEvents = {
  /** Published by earlier versions alone; now a registration is rewarded in its transaction. */
  'user.registered': z.object({ id: z.int() }),
  'users.deleted': z.object({ ids: z.array(z.int()) }),
  /** Documents or articles are gone for good. */
  'content.purged': z.object({ type: code(ContentType), ids: z.array(z.int()) }),
  /** Documents or articles are visible to everyone for the first time. */
  'content.published': z.object({ type: code(ContentType), ids }),
  /** Documents or articles were added to a collection. */
  'collections.extended': z.object({ collection: z.int(), items: ids }),
  'collections.deleted': z.object({ ids }),
  /** Staff have decided about collections. */
  'collections.reviewed': z.object({ key, ids, status: code(ReviewStatus), reason: z.string(), reviewer: z.int() }),
  /** Comments can be seen by others: new ones, approved ones, and those that were hidden for a while. */
  'comments.published': z.object({ ids }),
  'comments.reviewed': z.object({ key, ids, status: code(ReviewStatus), reason: z.string(), reviewer: z.int() }),
  /** Staff have decided about documents or articles; `reopened` takes a decision back. */
  'content.reviewed': z.object({
    key,
    type: code(ContentType),
    ids,
    outcome: z.enum([
      'approved',
      'rejected',
      'disabled',
      'reopened',
      // Of a new file for a document, which keeps its status.
      'file-approved',
      'file-rejected',
      'file-failed',
    ]),
    reason: z.string(),
    reviewer: z.int(),
  }),
  'documents.conversion-failed': z.object({ key, ids }),
  'document.sold': z.object({ order: z.int(), document: z.int(), author: z.int(), buyer: z.int(), credits: z.int() }),
  /**
   * Something happened to an order that its buyer does not do; `surplus` is money that could not be granted. `refunded`:
   * `money` or `credits` go back to the buyer, by `way`. `withdrawn`: nothing was paid, and nothing goes back. `taken` is
   * what of the things granted was withdrawn with either.
   */
  'order.handled': z.object({
    key,
    order: z.int(),
    outcome: z.enum(['granted', 'claim-refused', 'refunded', 'withdrawn', 'surplus']),
    money: z.int(),
    credits: z.int(),
    reason: z.string(),
    /** The member of staff who decided, if the buyer may answer. */
    staff: z.optional(z.int()),
    way: z.optional(z.enum(['provider', 'by-hand', 'balance'])),
    taken: z.optional(z.enum(['document', 'card', 'credits'])),
    taken_credits: z.optional(z.int()),
    /** The download code that paid it: unused again, unused again but no longer valid, or kept because credits are missing. */
    code: z.optional(z.enum(['usable', 'unusable', 'kept'])),
  }),
  /** Staff ask a second person to approve what is above their ceiling. */
  'outlays.asked': z.object({ id: z.int() }),
  'outlays.decided': z.object({ id: z.int() }),
  'vip.ending': z.object({ card: z.int(), user: z.int(), end: z.int() }),
  'reports.decided': z.object({ key, ids }),
  /** `staff` is 0 in events of earlier versions. */
  'users.punished': z.object({ ids, staff: z._default(z.int(), 0) }),
}

type DurableEvents = typeof durableEvents
export type DurableEventName = keyof DurableEvents
export type DurablePayload<E extends DurableEventName> = z.output<DurableEvents[E]>

type Listener<E extends DurableEventName> = (ctx: Ctx, payload: DurablePayload<E>) => Promise<void>
export type DurableListeners = { [E in DurableEventName]?: readonly Listener<E>[] }

export function publish<E extends DurableEventName>(ctx: Ctx, name: E, payload: DurablePayload<E>): Promise<void> {
  return enqueue(ctx, 'events.deliver', { name, payload })
}

/** Every listener is called, also when one before it fails; the job is then retried for all of them. */
export function deliverTo(listeners: DurableListeners): JobHandlers['events.deliver'] {
  return async (ctx, { name, payload }) => {
    const event = z.parse(durableEvents[name as DurableEventName], payload)
    const called = (listeners[name as DurableEventName] ?? []) as readonly Listener<DurableEventName>[]
    const results = await Promise.allSettled(called.map((listener) => listener(ctx, event)))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }
}
