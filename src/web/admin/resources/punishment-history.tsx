import { Popover, Timeline, Typography } from 'antd'
import * as z from 'zod/mini'
import { formatTime } from '#shared/format.ts'
import { dash, Pair } from '#web/admin/cells.tsx'

/** Who touched a record last, and when; all who ever did on pressing it. */
export function PunishmentHistory({ operators }: { operators: string }) {
  const touched = operationsIn(operators).map(({ u, ts }, index) => ({
    who: u,
    at: ts,
    deed: index === 0 ? '新增' : '修改',
  }))
  const last = touched.at(-1)
  if (!last) return dash
  return (
    <Popover
      trigger="click"
      title="操作记录"
      content={
        <Timeline
          className="wa-history"
          items={touched.toReversed().map(({ who, at, deed }) => ({
            key: at,
            content: (
              <>
                {who} <Typography.Text type="secondary">{deed}</Typography.Text>
                <div className="wa-figure wa-quiet">{formatTime(at)}</div>
              </>
            ),
          }))}
        />
      }
    >
      <button type="button" className="wa-plain-button" aria-label={`${last.who} 的操作记录`}>
        <Pair first={last.who} second={touched.length > 1 ? `共 ${touched.length} 次操作` : last.deed} />
      </button>
    </Popover>
  )
}

const Operations = z.array(z.object({ u: z.string(), ts: z.number() }))

/** The interface keeps them as text. What cannot be read is nobody's. */
function operationsIn(text: string): z.output<typeof Operations> {
  const read = z.safeParse(Operations, parsed(text))
  return read.success ? read.data : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return []
  }
}
