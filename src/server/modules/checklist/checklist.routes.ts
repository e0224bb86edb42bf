import type { checklist } from '#shared/contract/checklist.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { getChecklist, type Place, setDismissed, setSettled } from './checklist.ts'

export function checklistRoutes(place: Place): Handlers<typeof checklist> {
  return {
    get: (ctx) => getChecklist(ctx, place),
    async settle(ctx, { key, is_settled }) {
      await setSettled(ctx, key, is_settled)
      return {}
    },
    async dismiss(ctx, { dismissed }) {
      await setDismissed(ctx, dismissed)
      return {}
    },
  }
}
