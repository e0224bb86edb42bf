import * as z from 'zod/mini'
import type { outlays } from '#shared/contract/outlays.ts'
import type { Access, Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type OutlayAct, OutlayKind, outlayKinds, OutlayState } from '#shared/outlays.ts'
import { creditsToFen, formatYuan } from '#shared/prices.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { dayStart } from '#server/days.ts'
import { inList } from '#server/db/in-list.ts'
import { listRows, matches, within } from '#server/db/list.ts'
import { lockRows } from '#server/db/lock-rows.ts'
import { publish } from '#server/durable-events.ts'
import { assertNoOwnGain, findStaffGroups } from '#server/modules/access/access.policy.ts'

/** An act by which staff give something away is counted, and above the ceiling of the day waits for a second person. */
interface Outlay {
  act: OutlayAct
  /** The worth of what is given away, in fen. */
  fen: number
  /** The act in words, for the approver. */
  title: string
  /** The reference by which the act is found again if it comes to nothing. */
  reference?: string
}

/** Rolls the act back; a request for it remains. */
class AboveCeiling extends Error {
  readonly outlay: Outlay
  readonly ceiling: number

  constructor(outlay: Outlay, ceiling: number) {
    super(outlay.title)
    this.outlay = outlay
    this.ceiling = ceiling
  }
}

export function toFen({ settings }: Pick<Ctx, 'settings'>, credits: number): number {
  return credits === 0 ? 0 : creditsToFen(credits, settings.score.credit_exchange)
}

/** Call it in the transaction of the act, when it is sure to succeed. Locks the actor's groups, after orders and users. */
export async function recordOutlay(ctx: MemberCtx, outlay: Outlay): Promise<void> {
  const { db, viewer, now, approvedOutlay: id } = ctx
  const { act, fen: money, title, reference = '' } = outlay
  if (id !== undefined) {
    const done = { state: OutlayState.Done, reference, updated_at: now() }
    const { numUpdatedRows } = await db
      .updateTable('outlay')
      .set(done)
      .where('id', '=', id)
      .where('state', '=', OutlayState.Approved)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw errors.outlays.notApproved()
    return
  }
  const ceiling = await findPassed(ctx, outlay)
  if (ceiling !== undefined && !viewer.isRoot) throw new AboveCeiling(outlay, ceiling)
  if (ceiling !== undefined) ctx.audit?.({ notice: `超过每天 ${formatYuan(ceiling)} 元的限额，由站长一人决定` })
  const decided = ceiling === undefined ? {} : { decided_by: viewer.id, decided_at: now() }
  await db
    .insertInto('outlay')
    .values({
      act,
      kind: outlayKinds[act],
      user_id: viewer.id,
      money,
      title,
      reference,
      state: OutlayState.Done,
      ...decided,
      created_at: now(),
      updated_at: now(),
    })
    .execute()
}

/** A refund that its provider refuses gave nothing away. */
export async function cancelOutlay({ db, now }: Ctx, act: OutlayAct, reference: string): Promise<void> {
  await db
    .updateTable('outlay')
    .set({ state: OutlayState.Failed, updated_at: now() })
    .where('act', '=', act)
    .where('reference', '=', reference)
    .execute()
}

/** A handler whose act may have to wait: what was asked for is kept, and the caller told. */
export function withCeiling<I extends object, R>(rule: (ctx: MemberCtx, input: I) => R | Promise<R>) {
  return async (ctx: MemberCtx, input: I): Promise<R> => {
    try {
      return await rule(ctx, input)
    } catch (error) {
      if (!(error instanceof AboveCeiling)) throw error
      await ask(ctx, error, JSON.stringify(input))
      throw errors.outlays.waiting(formatYuan(error.ceiling))
    }
  }
}

/** The handler of an endpoint, for approved requests: the requester must still be allowed to make them. */
export function carriesOut<S extends z.ZodMiniObject>(
  { access, input: schema }: { access: Access; input: S },
  handler: (ctx: MemberCtx, input: z.output<S>) => unknown,
): CarryOut {
  return async (ctx, input) => {
    if (typeof access !== 'object' || !ctx.viewer.can(access.permission)) throw errors.access.denied()
    const reply = z.safeParse(WithCodes, await handler(ctx, z.parse(schema, input)))
    return reply.success ? reply.data.code : []
  }
}

const WithCodes = z.object({ code: z.array(z.string()) })

type CarryOut = (ctx: MemberCtx, input: unknown) => Promise<string[]>
export type OutlayActs = Record<OutlayAct, CarryOut>

/** The ceiling of the day that the act would pass, in fen; 0 in the settings is none. */
async function findPassed(ctx: MemberCtx, { act, fen }: Outlay): Promise<number | undefined> {
  const kind = outlayKinds[act]
  const { pay } = ctx.settings
  const ceiling = {
    [OutlayKind.Grant]: pay.grant_ceiling,
    [OutlayKind.Code]: pay.code_ceiling,
    [OutlayKind.Refund]: pay.refund_ceiling,
  }[kind]
  if (ceiling === 0 || fen === 0) return undefined
  return (await countUsed(ctx, kind)) + fen > ceiling ? ceiling : undefined
}

/** The sum given away today by the viewer's group that gave most, without the acts that a second person approved. */
async function countUsed(ctx: MemberCtx, kind: OutlayKind): Promise<number> {
  const { db, viewer, now } = ctx
  const done = db
    .selectFrom('outlay')
    .where('outlay.kind', '=', kind)
    .where('outlay.state', '=', OutlayState.Done)
    .where('outlay.decided_by', '=', 0)
    .where('outlay.created_at', '>=', dayStart(now()))
  if (viewer.isRoot) {
    const own = await done
      .where('user_id', '=', viewer.id)
      .select(({ fn }) => fn.sum<number | string | null>('money').as('used'))
      .executeTakeFirst()
    return Number(own?.used ?? 0)
  }
  const groups = await findStaffGroups(db, viewer.id)
  // Two acts of one group at once wait for each other here.
  await lockRows(ctx, 'group', groups)
  const used = await done
    .innerJoin('user_group', 'user_group.user_id', 'outlay.user_id')
    .innerJoin('user', 'user.id', 'outlay.user_id')
    .where(inList(db, 'user_group.group_id', groups))
    .where('user.is_root', '=', 0)
    .select(({ fn }) => ['user_group.group_id', fn.sum<number | string>('outlay.money').as('used')])
    .groupBy('user_group.group_id')
    .execute()
  return Math.max(0, ...used.map((group) => Number(group.used)))
}

/** How long an approval may be carried out. */
const validMs = 7 * 86_400_000

/** Once, however often it is sent, until its approval has lapsed. */
function ask(ctx: MemberCtx, { outlay, ceiling }: AboveCeiling, input: string): Promise<void> {
  const { act, fen: money, title } = outlay
  return transaction(ctx, async (ctx) => {
    const { db, viewer, now } = ctx
    await lockRows(ctx, 'user', [viewer.id])
    const isOpen = await db
      .selectFrom('outlay')
      .select('id')
      .where('user_id', '=', viewer.id)
      .where((eb) =>
        eb.or([
          eb('state', '=', OutlayState.Waiting),
          eb.and([eb('state', '=', OutlayState.Approved), eb('decided_at', '>=', now() - validMs)]),
        ]),
      )
      .where('act', '=', act)
      .where('input', '=', input)
      .executeTakeFirst()
    if (isOpen) {
      ctx.audit?.({ isRepeated: true })
      return
    }
    ctx.audit?.({ act: '申请办理，等待批准：', change: `${title}：超过每天 ${formatYuan(ceiling)} 元的限额，等待批准` })
    const { id } = await db
      .insertInto('outlay')
      .values({
        act,
        kind: outlayKinds[act],
        user_id: viewer.id,
        money,
        title,
        input,
        state: OutlayState.Waiting,
        created_at: now(),
        updated_at: now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await publish(ctx, 'outlays.asked', { id })
  })
}

export async function listOutlays(
  ctx: MemberCtx,
  input: Input<typeof outlays.list>,
): Promise<Reply<typeof outlays.list>> {
  const { kind, state, user_id, created_at, wd, ...rest } = input
  let query = ctx.db
    .selectFrom('outlay')
    .leftJoin('user', 'user.id', 'outlay.user_id')
    .leftJoin('user as decider', 'decider.id', 'outlay.decided_by')
    .selectAll('outlay')
    .select(['user.username', 'decider.username as decider'])
    .where(within('outlay.created_at', created_at))
  if (!ctx.viewer.can('OrderAPI/ApproveOutlay')) query = query.where('outlay.user_id', '=', ctx.viewer.id)
  if (kind.length > 0) query = query.where('outlay.kind', 'in', kind)
  if (state.length > 0) query = query.where('outlay.state', 'in', state)
  if (user_id.length > 0) query = query.where('outlay.user_id', 'in', user_id)
  if (wd) query = query.where(matches(['outlay.title', 'outlay.remark', 'user.username'], wd))
  const { total, rows } = await listRows(query, { ...rest, wd: '' }, { order: [['outlay.id', 'desc']] })
  return {
    total,
    outlay: rows.map(({ username, decider, ...row }) => ({
      ...row,
      username: username ?? '',
      decider: decider ?? '',
      is_own: row.user_id === ctx.viewer.id,
    })),
  }
}

/** The decider is not the requester, and would gain nothing from the request. */
export function decideOutlay(ctx: MemberCtx, { id, is_approved, remark }: Input<typeof outlays.decide>): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { db, viewer, now } = ctx
    const row = await db.selectFrom('outlay').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) throw errors.outlays.notFound()
    if (row.user_id === viewer.id) throw errors.outlays.own()
    if (!is_approved && remark === '') throw errors.outlays.reasonNeeded()
    await assertNoOwnGain(ctx, await findGainers(ctx, row))
    const { numUpdatedRows } = await db
      .updateTable('outlay')
      .set({
        state: is_approved ? OutlayState.Approved : OutlayState.Refused,
        decided_by: viewer.id,
        decided_at: now(),
        remark,
        updated_at: now(),
      })
      .where('id', '=', id)
      .where('state', '=', OutlayState.Waiting)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw errors.outlays.notWaiting()
    await publish(ctx, 'outlays.decided', { id })
    ctx.audit?.({ change: [`${is_approved ? '批准' : '不批准'}：${row.title}`, remark].filter(Boolean).join('。') })
  })
}

export async function carryOutOutlay(
  ctx: MemberCtx,
  { id }: Input<typeof outlays.carryOut>,
  acts: OutlayActs,
): Promise<Reply<typeof outlays.carryOut>> {
  const row = await ctx.db
    .selectFrom('outlay')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', ctx.viewer.id)
    .executeTakeFirst()
  if (!row) throw errors.outlays.notFound()
  if (row.state !== OutlayState.Approved) throw errors.outlays.notApproved()
  if ((row.decided_at ?? 0) < ctx.now() - validMs) throw errors.outlays.lapsed()
  // The entry is about the request; the ids that the act names are those of other things.
  const audit: Ctx['audit'] = ({ ids: _ids, act: _act, ...note }) => ctx.audit?.(note)
  const code = await acts[row.act]({ ...ctx, approvedOutlay: id, audit }, JSON.parse(row.input))
  return { code }
}

const Gain = z.object({ user_id: z.optional(z.int()), id: z.optional(z.int()) })

/** The members who would gain: the one named by the request, or the buyer of the order. Codes name no member. */
async function findGainers({ db }: Ctx, { act, input }: { act: OutlayAct; input: string }): Promise<number[]> {
  const { user_id, id = 0 } = z.parse(Gain, JSON.parse(input))
  if (act !== 'refund') return user_id === undefined ? [] : [user_id]
  const order = await db.selectFrom('order').select('user_id').where('id', '=', id).executeTakeFirst()
  return order ? [order.user_id] : []
}
