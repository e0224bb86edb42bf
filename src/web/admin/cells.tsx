import { Avatar, Flex, Switch, Tag, Tooltip, Typography } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { formatRelative, formatTime } from '#shared/format.ts'
import styles from '#web/admin/cells.module.css'
import { useTask } from '#web/admin/engine/feedback.ts'
import { useCreditName } from '#web/domain/site.ts'

export const dash = <Typography.Text type="secondary">—</Typography.Text>

export function Timestamp({ at, unset }: { at: number | null; unset?: string }) {
  const [now] = useState(Date.now)
  if (!at) return unset ? <Typography.Text type="secondary">{unset}</Typography.Text> : dash
  const time = (
    <time dateTime={new Date(at).toISOString()} className={styles.numeric}>
      {formatTime(at)}
    </time>
  )
  // A relative time is written for the past only.
  return at > now ? time : <Tooltip title={formatRelative(at, now)}>{time}</Tooltip>
}

/** The heading of a column with amounts of credits. */
export function CreditName() {
  return useCreditName()
}

export function ClampedText({ text }: { text: string }) {
  if (!text) return dash
  return (
    <Typography.Paragraph className={styles.clamped} style={{ margin: 0 }} ellipsis={{ rows: 2, tooltip: text }}>
      {text}
    </Typography.Paragraph>
  )
}

export function ExternalLink({ href }: { href: string }) {
  if (!href) return dash
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {href}
    </a>
  )
}

export function TwoLines({ primary, secondary }: { primary: ReactNode; secondary: ReactNode }) {
  return (
    <span className={styles.twoLines}>
      <span>{primary}</span>
      {secondary ? <span>{secondary}</span> : null}
    </span>
  )
}

export function UserLink({ id, name, avatar }: { id: number; name: string; avatar?: string }) {
  return (
    <Flex align="center" gap={8}>
      {avatar !== undefined && <Avatar size={28} src={avatar || '/avatar.svg'} alt="" />}
      <Link to={`/user/${id}`} target="_blank">
        {name || `用户 ${id}`}
      </Link>
    </Flex>
  )
}

interface SavingSwitchProps {
  label: string
  checked: boolean
  /** Undefined when the user may not change it. */
  save?: (checked: boolean) => Promise<void>
}

export function SavingSwitch({ label, checked, save }: SavingSwitchProps) {
  const { busy, run } = useTask()
  if (!save) return <Tag variant="filled">{checked ? '是' : '否'}</Tag>
  const change = (value: boolean) => void run(() => save(value))
  return <Switch size="small" aria-label={label} checked={checked} loading={busy} onChange={change} />
}
