import type { notifications } from '#shared/contract/notifications.ts'
import type { Input } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { NotificationKind } from '#shared/notification-kinds.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { findRootId } from '#server/modules/access/access.queries.ts'
import { addNotification, toParams } from './notifications.add.ts'
import { presentNotifications } from './notifications.present.ts'
import { isAnswerable } from './sentences.ts'

/** Sends a member's answer to a refusal or a punishment to the person who decided, and to the owner of the site. */
export function answerNotification(ctx: MemberCtx, { id, content }: Input<typeof notifications.answer>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    await lockRows(ctx, 'user', [ctx.viewer.id])
    // The latest of several events of one matter is shown.
    const rows = await ctx.db
      .selectFrom('notification')
      .selectAll()
      .where('user_id', '=', ctx.viewer.id)
      .where('deleted_at', 'is', null)
      .where((where) => where.or([where('id', '=', id), where('group_id', '=', id)]))
      .orderBy('id')
      .execute()
    const [head, row] = [rows.find((one) => one.id === id), rows.at(-1)]
    if (!head || !row) throw errors.notifications.notFound()
    const params = toParams(row)
    if (!isAnswerable(params)) throw errors.notifications.notAnswerable()
    const [shown] = await presentNotifications(ctx, [head])
    await ctx.db
      .updateTable('notification')
      .set({ params: JSON.stringify({ ...params, is_answered: true }) })
      .where('id', '=', row.id)
      .execute()
    const about = [shown?.title, params.reason && `原因：${params.reason}`].filter(Boolean).join('，')
    const recipients = new Set([row.actor_id, (await findRootId(ctx.db)) ?? 0])
    for (const userId of recipients)
      await addNotification(ctx, {
        userId,
        actorId: ctx.viewer.id,
        kind: NotificationKind.Answer,
        eventKey: `answer:${row.id}`,
        ...(row.content_type !== null && { content: { type: row.content_type, id: row.content_id } }),
        params: { about, reason: content, order: params.order },
      })
  })
}
