import { contract } from '#shared/contract/contract.ts'
import type { InboxEntry } from '#shared/contract/reports.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { ReportOutcome } from '#shared/enums.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'

/** Gives what this user may decide about an entry, and what still makes sense for its document. */
export function useOutcomes(): (entry: InboxEntry) => ReportOutcome[] {
  const { canCall, has } = usePermissions()
  const isAllowed: Record<ReportOutcome, (entry: InboxEntry) => boolean> = {
    [ReportOutcome.Dismissed]: () => true,
    [ReportOutcome.DocumentDisabled]: ({ document }) =>
      has('DocumentAPI/CheckDocument') &&
      document !== null &&
      !document.is_deleted &&
      document.status !== DocumentStatus.Disabled,
    [ReportOutcome.DocumentDeleted]: ({ document }) =>
      has('DocumentAPI/DeleteDocument') && document !== null && !document.is_deleted,
    [ReportOutcome.Handled]: () => true,
  }
  const order = [
    ReportOutcome.Dismissed,
    ReportOutcome.DocumentDisabled,
    ReportOutcome.DocumentDeleted,
    ReportOutcome.Handled,
  ] as const
  return (entry) => {
    if (!canCall(contract.reports.handle) || entry.open_count === 0) return []
    return order.filter((outcome) => isAllowed[outcome](entry))
  }
}

/** What the button of an outcome says. */
export const outcomeActions: Record<ReportOutcome, string> = {
  [ReportOutcome.Dismissed]: '不成立',
  [ReportOutcome.DocumentDisabled]: '禁用文档',
  [ReportOutcome.DocumentDeleted]: '删除文档',
  [ReportOutcome.Handled]: '其他处理',
}
