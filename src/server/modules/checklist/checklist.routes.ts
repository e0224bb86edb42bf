import type { checklist } from '#shared/contract/checklist.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { getChecklist, setDismissed, setSettled } from './checklist.ts'

export const checklistRoutes: Handlers<typeof checklist> = {
  get: getChecklist,
  async settle(ctx, { key, is_settled }) {
    await setSettled(ctx, key, is_settled)
    return {}
  },
  async dismiss(ctx, { dismissed }) {
    await setDismissed(ctx, dismissed)
    return {}
  },
}
