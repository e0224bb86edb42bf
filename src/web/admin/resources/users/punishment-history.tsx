import { Popover, Timeline, Typography } from 'antd'
import * as z from 'zod/mini'
import { formatTime } from '#shared/format.ts'
import { dash, TwoLines } from '#web/admin/cells.tsx'
import styles from '#web/admin/resources/users/users.module.css'

/** The user who changed a record last; a click shows the whole history. */
export function PunishmentHistory({ operators }: { operators: string }) {
  const operations = parseOperations(operators).map(({ u, ts }, index) => ({
    username: u,
    at: ts,
    label: index === 0 ? '新增' : '修改',
  }))
  const last = operations.at(-1)
  if (!last) return dash
  return (
    <Popover
      trigger="click"
      title="操作记录"
      content={
        <Timeline
          className={styles.history}
          items={operations.toReversed().map(({ username, at, label }) => ({
            key: at,
            content: (
              <>
                {username} <Typography.Text type="secondary">{label}</Typography.Text>
                <div>
                  <Typography.Text type="secondary">{formatTime(at)}</Typography.Text>
                </div>
              </>
            ),
          }))}
        />
      }
    >
      <button type="button" className={styles.historyButton} title="操作记录">
        <TwoLines
          primary={last.username}
          secondary={operations.length > 1 ? `共 ${operations.length} 次操作` : last.label}
        />
      </button>
    </Popover>
  )
}

export function lastOperator(operators: string): string {
  return parseOperations(operators).at(-1)?.u ?? ''
}

const Operations = z.array(z.object({ u: z.string(), ts: z.number() }))

/** The API has them as JSON text. */
function parseOperations(text: string): z.output<typeof Operations> {
  const result = z.safeParse(Operations, parseJson(text))
  return result.success ? result.data : []
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return []
  }
}
