import { type PointerEvent, useState } from 'react'
import './charts.css'
import { areaPath, type Box, indexAt, linePath, niceTop, pointAt } from '#web/admin/charts/geometry.ts'

export interface Series {
  label: string
  values: readonly number[]
  tone: 'accent' | 'second' | 'danger'
}

interface LineChartProps {
  /** What the curves are about, for who cannot see them. */
  title: string
  /** Under each value: 2026-11-15. */
  days: readonly string[]
  series: readonly Series[]
}

const [width, height] = [300, 100]

/** Curves over days. The pointer or the arrow keys name a day and its values; the table says the same without a picture. */
export function LineChart({ title, days, series }: LineChartProps) {
  const [chosen, setChosen] = useState<number>()
  const last = days.length - 1
  const box: Box = { width, height, top: niceTop(series.flatMap(({ values }) => values)) }
  const shown = chosen ?? last
  const place = `${(shown / Math.max(1, last)) * 100}%`
  const words = series.map(({ label, values }) => `${label} ${(values[shown] ?? 0).toLocaleString()}`).join('，')

  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setChosen(indexAt((clientX - left) / Math.max(1, width), days.length))
  }

  return (
    <div className="wc-chart">
      <div className="wc-scale" aria-hidden="true">
        <span>{compact(box.top)}</span>
        <span>{compact(box.top / 2)}</span>
        <span>0</span>
      </div>
      <div className="wc-plot">
        <input
          type="range"
          min={0}
          max={last}
          value={shown}
          aria-label={`${title}，用方向键逐日查看`}
          aria-valuetext={`${spoken(days[shown])}：${words}`}
          onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
          onFocus={() => setChosen(shown)}
          onBlur={() => setChosen(undefined)}
          onPointerMove={point}
          onPointerLeave={() => setChosen(undefined)}
        />
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          <path className="wc-grid" d={`M0 0H${width}M0 ${height / 2}H${width}M0 ${height}H${width}`} />
          {series.map(({ label, values, tone }) => (
            <g key={label} className={`wc-${tone}`}>
              <path className="wc-area" d={areaPath(values, box)} />
              <path className="wc-line" d={linePath(values, box)} />
            </g>
          ))}
        </svg>
        {chosen !== undefined && (
          <>
            <span className="wc-rule" style={{ left: place }} />
            {series.map(({ label, values, tone }) => (
              <span
                key={label}
                className={`wc-point wc-${tone}`}
                style={{ left: place, top: `${pointAt(values, shown, box)[1]}%` }}
              />
            ))}
            <span className={shown > last / 2 ? 'wc-tip wc-tip-left' : 'wc-tip'} style={{ left: place }}>
              <b>{spoken(days[shown])}</b>
              {series.map(({ label, values, tone }) => (
                <span key={label} className={`wc-${tone}`}>
                  <i className="wc-key" />
                  {label} {(values[shown] ?? 0).toLocaleString()}
                </span>
              ))}
            </span>
          </>
        )}
      </div>
      <div className="wc-ends" aria-hidden="true">
        <span>{spoken(days[0])}</span>
        <span>{spoken(days[last])}</span>
      </div>
      <DayTable title={title} days={days} series={series} />
    </div>
  )
}

/** Where several curves share a picture: which is which. */
export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <span className="wc-legend">
      {series.map(({ label, tone }) => (
        <span key={label} className={`wc-${tone}`}>
          <i className="wc-key" />
          {label}
        </span>
      ))}
    </span>
  )
}

function DayTable({ title, days, series }: LineChartProps) {
  return (
    <table className="wc-table">
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

function spoken(day = ''): string {
  const [, month, date] = day.split('-').map(Number)
  return month && date ? `${month}月${date}日` : ''
}

function compact(value: number): string {
  return value < 10_000 ? value.toLocaleString() : `${value / 10_000} 万`
}
