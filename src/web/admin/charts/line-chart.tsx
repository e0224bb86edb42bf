import { type PointerEvent, useState } from 'react'
import styles from '#web/admin/charts/charts.module.css'
import { areaPath, type Box, indexAt, linePath, niceTop, pointAt } from '#web/admin/charts/geometry.ts'

export interface Series {
  label: string
  values: readonly number[]
  tone: 'accent' | 'second' | 'danger'
}

interface LineChartProps {
  /** What the lines show, for screen readers. */
  title: string
  /** The date of each value: 2026-11-15. */
  days: readonly string[]
  series: readonly Series[]
}

const [width, height] = [300, 100]

/** Values by day. The pointer or the arrow keys choose a day; a table has the same numbers for screen readers. */
export function LineChart({ title, days, series }: LineChartProps) {
  const [hovered, setHovered] = useState<number>()
  const last = days.length - 1
  const box: Box = { width, height, top: niceTop(series.flatMap(({ values }) => values)) }
  const index = hovered ?? last
  const left = `${(index / Math.max(1, last)) * 100}%`
  const valueText = series.map(({ label, values }) => `${label} ${(values[index] ?? 0).toLocaleString()}`).join('，')

  const follow = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setHovered(indexAt((clientX - left) / Math.max(1, width), days.length))
  }

  return (
    <div className={styles.chart}>
      <div className={styles.scale} aria-hidden="true">
        <span>{formatCompact(box.top)}</span>
        <span>{formatCompact(box.top / 2)}</span>
        <span>0</span>
      </div>
      <div className={styles.plot}>
        <input
          type="range"
          min={0}
          max={last}
          value={index}
          aria-label={`${title}，用方向键逐日查看`}
          aria-valuetext={`${formatDay(days[index])}：${valueText}`}
          onChange={({ currentTarget }) => setHovered(Number(currentTarget.value))}
          onFocus={() => setHovered(index)}
          onBlur={() => setHovered(undefined)}
          onPointerMove={follow}
          onPointerLeave={() => setHovered(undefined)}
        />
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          <path className={styles.grid} d={`M0 0H${width}M0 ${height / 2}H${width}M0 ${height}H${width}`} />
          {series.map(({ label, values, tone }) => (
            <g key={label} className={styles[tone]}>
              <path className={styles.area} d={areaPath(values, box)} />
              <path className={styles.line} d={linePath(values, box)} />
            </g>
          ))}
        </svg>
        {hovered !== undefined && (
          <>
            <span className={styles.rule} style={{ left }} />
            {series.map(({ label, values, tone }) => (
              <span
                key={label}
                className={[styles.point, styles[tone]].join(' ')}
                style={{ left, top: `${pointAt(values, index, box)[1]}%` }}
              />
            ))}
            <span className={index > last / 2 ? styles.tipLeft : styles.tip} style={{ left }}>
              <b>{formatDay(days[index])}</b>
              {series.map(({ label, values, tone }) => (
                <span key={label} className={styles[tone]}>
                  <i className={styles.key} />
                  {label} {(values[index] ?? 0).toLocaleString()}
                </span>
              ))}
            </span>
          </>
        )}
      </div>
      <div className={styles.ends} aria-hidden="true">
        <span>{formatDay(days[0])}</span>
        <span>{formatDay(days[last])}</span>
      </div>
      <DayTable title={title} days={days} series={series} />
    </div>
  )
}

export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <span className={styles.legend}>
      {series.map(({ label, tone }) => (
        <span key={label} className={styles[tone]}>
          <i className={styles.key} />
          {label}
        </span>
      ))}
    </span>
  )
}

function DayTable({ title, days, series }: LineChartProps) {
  return (
    <table className={styles.table}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">日期</th>
          {series.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day, index) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            {series.map(({ label, values }) => (
              <td key={label}>{values[index]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function formatDay(day = ''): string {
  const [, month, date] = day.split('-').map(Number)
  return month && date ? `${month}月${date}日` : ''
}

function formatCompact(value: number): string {
  return value < 10_000 ? value.toLocaleString() : `${value / 10_000} 万`
}
