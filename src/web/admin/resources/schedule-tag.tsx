import { Tag } from 'antd'
import { useState } from 'react'
import { Moment, Pair } from '#web/admin/cells.tsx'

interface Scheduled {
  enable: boolean
  start_time: number | null
  end_time: number | null
}

/** Whether visitors see it now, and if not, why. */
export function ScheduleTag({ row }: { row: Scheduled }) {
  const [now] = useState(Date.now)
  const state = scheduleState(row, now)
  return (
    <Tag color={colors[state]} variant="filled">
      {state}
    </Tag>
  )
}

/** From when until when; what is not set is no bound. */
export function SchedulePeriod({ row: { start_time, end_time } }: { row: Scheduled }) {
  const start = start_time && (
    <>
      从 <Moment at={start_time} />
    </>
  )
  const end = end_time && (
    <>
      到 <Moment at={end_time} />
    </>
  )
  if (start && end) return <Pair first={start} second={end} />
  return start || end || '不限'
}

export function scheduleState({ enable, start_time, end_time }: Scheduled, now: number): keyof typeof colors {
  if (!enable) return '停用'
  if (end_time !== null && end_time <= now) return '已结束'
  return start_time !== null && start_time > now ? '未开始' : '投放中'
}

const colors = { 投放中: 'green', 未开始: 'blue', 已结束: 'default', 停用: 'default' } as const
