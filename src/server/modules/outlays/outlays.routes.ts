import type { outlays } from '#shared/contract/outlays.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { carryOutOutlay, decideOutlay, listOutlays, type OutlayActs } from './outlays.ts'

/** Approved requests are carried out by handlers of modules to the right of this one. */
export function outlayRoutes(acts: OutlayActs): Handlers<typeof outlays> {
  return {
    list: listOutlays,
    decide: emptyReply(decideOutlay),
    carryOut: (ctx, input) => carryOutOutlay(ctx, input, acts),
  }
}
