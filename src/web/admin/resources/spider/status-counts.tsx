import { Link, useSearchParams } from 'react-router'
import styles from '#web/admin/resources/spider/spider.module.css'

interface StatusCountsProps {
  labels: Record<number, string>
  counts: Record<number, number>
}

/** They do not count: the numbers are those of the chosen sources. */
const uncounted = ['status', 'target', 'wd', 'created_at', 'page']

/** How many rows have each status; each leads to just these. */
export function StatusCounts({ labels, counts }: StatusCountsProps) {
  const [params] = useSearchParams()
  const chosen = params.getAll('status')
  const toStatus = (status?: string) => {
    const next = new URLSearchParams(params)
    for (const key of uncounted) next.delete(key)
    if (status !== undefined) next.set('status', status)
    return `?${next.toString()}`
  }
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <nav aria-label="各状态的数目" className={styles.counts}>
      <Count label="全部" count={all} to={toStatus()} isChosen={chosen.length === 0} />
      {Object.entries(labels).map(([status, label]) => (
        <Count
          key={status}
          label={label}
          count={counts[Number(status)] ?? 0}
          to={toStatus(status)}
          isChosen={chosen.length === 1 && chosen[0] === status}
        />
      ))}
    </nav>
  )
}

function Count({ label, count, to, isChosen }: { label: string; count: number; to: string; isChosen: boolean }) {
  return (
    <Link to={to} className={styles.count} aria-current={isChosen ? 'true' : undefined}>
      {label} <strong>{count.toLocaleString('zh-CN')}</strong>
    </Link>
  )
}
