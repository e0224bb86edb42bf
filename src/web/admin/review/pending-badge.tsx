import { usePolling } from '#web/admin/dashboard/use-polling.ts'
import { loadQueues, usePendingCounts } from '#web/admin/review/pending-counts.ts'
import styles from '#web/admin/review/review.module.css'

const interval = { intervalMs: 60_000, retryMs: 60_000 }

/** In the menu: how much waits for this reviewer. */
export function PendingBadge() {
  usePolling(loadQueues, interval)
  const total = Object.values(usePendingCounts()).reduce((sum, count) => sum + count, 0)
  return total > 0 && <span className={styles.badge}>{total > 999 ? '999+' : total}</span>
}
