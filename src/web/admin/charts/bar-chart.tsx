import styles from '#web/admin/charts/charts.module.css'

export interface Bar {
  key: string
  label: string
  value: number
  /** The value in words. */
  text: string
}

/** The greatest values as bars, in the given order. A table beside it has the same numbers for screen readers. */
export function BarChart({ bars }: { bars: readonly Bar[] }) {
  const greatest = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <ol className={styles.bars} aria-hidden="true">
      {bars.map(({ key, label, value, text }) => (
        <li key={key}>
          <span className={styles.barLabel} title={label}>
            {label}
          </span>
          <span className={styles.barTrack}>
            <span className={styles.bar} style={{ width: `${(value / greatest) * 100}%` }} />
          </span>
          <span className={styles.barValue}>{text}</span>
        </li>
      ))}
    </ol>
  )
}
