import * as z from 'zod/mini'
import { get, permission, post, put } from '../endpoint.ts'
import { byId, code, count, flag, id, listInput, many, none, or, page, period, text, unsetTime } from '../fields.ts'
import { OutlayKind, OutlayState } from '../outlays.ts'

const Outlay = z.object({
  id,
  kind: code(OutlayKind),
  /** The outlay in words. */
  title: z.string(),
  /** The value in fen. */
  money: count(Number.MAX_SAFE_INTEGER),
  state: code(OutlayState),
  /** The staff member who gives it away. */
  user_id: count(),
  username: z.string(),
  /** Asked for by the viewer, who alone carries it out. */
  is_own: flag,
  /** The staff member who approved or refused it; the giver where the owner of the site decided alone. */
  decided_by: count(),
  decider: z.string(),
  decided_at: unsetTime,
  remark: z.string(),
  created_at: unsetTime,
})
export type Outlay = z.output<typeof Outlay>

/** The outlays of staff, with those that wait for a second person. */
export const outlays = {
  list: get('/outlay/list', {
    summary: '管理人员的发放和退款，以及超过限额的申请；没有审批权限的只看到自己的',
    access: 'staff',
    input: listInput({
      kind: many(code(OutlayKind)),
      state: many(code(OutlayState)),
      user_id: many(id),
      created_at: period,
    }),
    reply: page('outlay', Outlay),
  }),
  decide: put('/outlay', {
    summary: '批准或不批准超过限额的申请',
    access: permission('OrderAPI/ApproveOutlay'),
    proof: 'enrolled',
    input: z.object({ id, is_approved: flag, remark: or(text(200), '') }),
    reply: none,
  }),
  carryOut: post('/outlay/carryout', {
    summary: '办理已经批准的申请；生成的下载码只在这一次的回复里',
    access: 'staff',
    input: byId,
    reply: z.object({ code: z.array(z.string()) }),
  }),
}
