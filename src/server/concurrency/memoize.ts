import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'

/** The same answer for everybody who asks within a while; `mark` names what it is an answer to. */
export function keptFor<T>(
  ms: number,
  make: (ctx: Ctx) => Promise<T>,
  markOf: (ctx: Ctx) => unknown = () => '',
): (ctx: Ctx) => Promise<T> {
  const kept = new WeakMap<Db, { at: number; mark: unknown; answer: Promise<T> }>()
  return (ctx) => {
    const [at, mark] = [ctx.now(), markOf(ctx)]
    const known = kept.get(ctx.db)
    if (known && known.mark === mark && Math.abs(at - known.at) < ms) return known.answer
    const answer = make(ctx)
    kept.set(ctx.db, { at, mark, answer })
    answer.catch(() => kept.delete(ctx.db))
    return answer
  }
}
