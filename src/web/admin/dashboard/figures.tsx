import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { Legend, LineChart, type Series } from '#web/admin/charts/line-chart.tsx'
import { Block } from '#web/admin/dashboard/block.tsx'
import { useAnswer } from '#web/admin/engine/answer.ts'
import { api } from '#web/lib/api.ts'

type Day = Reply<typeof contract.stats.trend>['day'][number]
type Figure = Exclude<keyof Day, 'day'>

const figures: readonly [key: Figure, label: string][] = [
  ['view', '浏览'],
  ['visitor', '访客'],
  ['upload', '上传'],
  ['download', '下载'],
  ['register', '注册'],
  ['search', '搜索'],
  ['converted', '转换完成'],
  ['failed', '转换失败'],
]

interface Curve {
  title: string
  lines: readonly [key: Figure, label: string, tone: Series['tone']][]
}

const curves: readonly Curve[] = [
  {
    title: '访问',
    lines: [
      ['view', '浏览', 'accent'],
      ['visitor', '访客', 'second'],
    ],
  },
  { title: '上传', lines: [['upload', '上传', 'accent']] },
  { title: '下载', lines: [['download', '下载', 'accent']] },
  { title: '注册', lines: [['register', '注册', 'accent']] },
  { title: '搜索', lines: [['search', '搜索', 'accent']] },
  {
    title: '转换',
    lines: [
      ['converted', '完成', 'accent'],
      ['failed', '失败', 'danger'],
    ],
  },
]

/** Today beside yesterday, and the last thirty days. */
export function Figures() {
  const answer = useAnswer(() => api(contract.stats.trend))
  return (
    <>
      <Block title="今日数据" answer={answer} rows={2}>
        {({ day }) => <Today today={day.at(-1)} yesterday={day.at(-2)} />}
      </Block>
      <Block title="近 30 天" answer={answer} rows={8}>
        {({ day }) => (
          <div className="wd-curves">
            {curves.map((curve) => (
              <CurveOf key={curve.title} curve={curve} day={day} />
            ))}
          </div>
        )}
      </Block>
    </>
  )
}

function Today({ today, yesterday }: { today: Day | undefined; yesterday: Day | undefined }) {
  return (
    <dl className="wd-today">
      {figures.map(([key, label]) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>
            <span className="wd-number">{(today?.[key] ?? 0).toLocaleString()}</span>
            <span className="wa-quiet">昨天 {(yesterday?.[key] ?? 0).toLocaleString()}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function CurveOf({ curve: { title, lines }, day }: { curve: Curve; day: readonly Day[] }) {
  const series = lines.map(([key, label, tone]) => ({ label, tone, values: day.map((one) => one[key]) }))
  const sum = series[0]?.values.reduce((sum, value) => sum + value, 0) ?? 0
  return (
    <section className="wd-curve">
      <div className="wd-curve-head">
        <h3>{title}</h3>
        {series.length > 1 ? <Legend series={series} /> : null}
        <span className="wa-quiet">
          {series.length > 1 && series[0]?.label}共 {sum.toLocaleString()}
        </span>
      </div>
      <LineChart title={`近 30 天${title}`} days={day.map((one) => one.day)} series={series} />
    </section>
  )
}
