import { type Ctx, transaction } from '#server/context.ts'
import { enqueue } from './queue.ts'

const atOnce = 200
/** What one waits for; the rest goes in the background. */
const whileWaiting = 1000

/** Does the same to very many, some at a time: the first of them now, the others by jobs of this kind, which get `{ id }`. */
export async function gradually<C extends Ctx>(
  ctx: C,
  kind: string,
  ids: readonly number[],
  work: (ctx: C, some: { id: number[] }) => Promise<void>,
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    for (let at = whileWaiting; at < ids.length; at += atOnce)
      await enqueue(ctx, { kind, payload: { id: ids.slice(at, at + atOnce) } })
  })
  const first = ids.slice(0, whileWaiting)
  for (let at = 0; at < first.length; at += atOnce) await work(ctx, { id: first.slice(at, at + atOnce) })
}
