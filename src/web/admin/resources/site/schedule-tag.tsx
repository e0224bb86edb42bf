import { Tag } from 'antd'
import { useState } from 'react'
import { formatTime } from '#shared/format.ts'
import { Timestamp, TwoLines } from '#web/admin/cells.tsx'

interface Schedule {
  enable: boolean
  start_time: number | null
  end_time: number | null
}

/** Whether visitors see it now, and why not. */
export function ScheduleTag({ row }: { row: Schedule }) {
  const [now] = useState(Date.now)
  const state = getScheduleState(row, now)
  return (
    <Tag color={colors[state]} variant="filled">
      {state}
    </Tag>
  )
}

/** Start and end, where they are set. */
export function SchedulePeriod({ row: { start_time, end_time } }: { row: Schedule }) {
  const start = start_time && (
    <>
      从 <Timestamp at={start_time} />
    </>
  )
  const end = end_time && (
    <>
      到 <Timestamp at={end_time} />
    </>
  )
  if (start && end) return <TwoLines primary={start} secondary={end} />
  return start || end || '不限'
}

/** Both in an exported table. */
export const scheduleTexts = {
  state: (row: Schedule) => getScheduleState(row, Date.now()),
  period: ({ start_time, end_time }: Schedule) =>
    [start_time && `从 ${formatTime(start_time)}`, end_time && `到 ${formatTime(end_time)}`].filter(Boolean).join(' '),
}

export function getScheduleState({ enable, start_time, end_time }: Schedule, now: number): keyof typeof colors {
  if (!enable) return '停用'
  if (end_time !== null && end_time <= now) return '已结束'
  return start_time !== null && start_time > now ? '未开始' : '投放中'
}

const colors = { 投放中: 'green', 未开始: 'blue', 已结束: 'default', 停用: 'default' } as const
