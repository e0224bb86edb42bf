import { Avatar, Flex, Switch, Tag, Tooltip, Typography } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { formatRelative, formatTime } from '#shared/format.ts'
import { useTask } from '#web/admin/engine/feedback.ts'

export const dash = <Typography.Text type="secondary">—</Typography.Text>

export function Moment({ at, unset }: { at: number | null; unset?: string }) {
  const [now] = useState(Date.now)
  if (!at) return unset ? <Typography.Text type="secondary">{unset}</Typography.Text> : dash
  const time = (
    <time dateTime={new Date(at).toISOString()} className="wa-figure">
      {formatTime(at)}
    </time>
  )
  // "Ago" is no word for what is still to come.
  return at > now ? time : <Tooltip title={formatRelative(at, now)}>{time}</Tooltip>
}

export function Note({ text }: { text: string }) {
  if (!text) return dash
  return (
    <Typography.Paragraph className="wa-note" ellipsis={{ rows: 2, tooltip: text }}>
      {text}
    </Typography.Paragraph>
  )
}

export function Outward({ href }: { href: string }) {
  if (!href) return dash
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {href}
    </a>
  )
}

/** Two facts that belong together, the second one quieter. */
export function Pair({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <span className="wa-pair">
      <span>{first}</span>
      {second ? <span>{second}</span> : null}
    </span>
  )
}

export function UserLink({ id, name, avatar }: { id: number; name: string; avatar?: string }) {
  return (
    <Flex align="center" gap={8}>
      {avatar !== undefined && (
        <Avatar size={28} src={avatar || undefined} alt="">
          {name.slice(0, 1).toUpperCase()}
        </Avatar>
      )}
      <Link to={`/user/${id}`} target="_blank">
        {name || `用户 ${id}`}
      </Link>
    </Flex>
  )
}

interface SavingSwitchProps {
  label: string
  on: boolean
  save?: (on: boolean) => Promise<void>
}

export function SavingSwitch({ label, on, save }: SavingSwitchProps) {
  const { busy, run } = useTask()
  if (!save) return <Tag variant="filled">{on ? '是' : '否'}</Tag>
  const change = (value: boolean) => void run(() => save(value))
  return <Switch size="small" aria-label={label} checked={on} loading={busy} onChange={change} />
}
