import type { outlays } from '#shared/contract/outlays.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { carryOutOutlay, decideOutlay, listOutlays, type OutlayActs } from './outlays.ts'

/** What was approved is done by handlers to the right of here. */
export function outlayRoutes(acts: OutlayActs): Handlers<typeof outlays> {
  return {
    list: listOutlays,
    decide: emptyReply(decideOutlay),
    carryOut: (ctx, input) => carryOutOutlay(ctx, input, acts),
  }
}
