import { Avatar, Flex, Tag, Typography } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Contributor } from '#shared/contract/review.ts'
import { punishmentLabels } from '#shared/enums.ts'
import { formatRelative, formatTime } from '#shared/format.ts'
import styles from '#web/admin/review/review.module.css'

/** Since when its author is a member, and what became of their earlier work. */
export function ContributorCard({ contributor, label }: { contributor: Contributor; label: string }) {
  const { id, username, avatar, created_at, approved, rejected, punished, punishment, rejection } = contributor
  return (
    <section aria-label={label} className={styles.contributor}>
      <Flex align="center" gap={10}>
        <Avatar size={36} src={avatar || '/avatar.svg'} alt="" />
        <div>
          {id > 0 ? (
            <Link to={`/user/${id}`} target="_blank">
              {username}
            </Link>
          ) : (
            username
          )}
          {created_at !== null && <MemberSince at={created_at} />}
        </div>
      </Flex>
      {id > 0 && (
        <Flex gap={6} wrap className={styles.record}>
          <Tag color="green" variant="filled">
            通过 {approved}
          </Tag>
          <Tag color={rejected > 0 ? 'volcano' : undefined} variant="filled">
            未通过 {rejected}
          </Tag>
          <Tag color={punished > 0 ? 'red' : undefined} variant="filled">
            处罚 {punished} 次
          </Tag>
          {punishment.map((type) => (
            <Tag key={type} color="red">
              正在{punishmentLabels[type]}
            </Tag>
          ))}
        </Flex>
      )}
      {rejection.length > 0 && (
        <>
          <h3>最近未通过的</h3>
          <ul>
            {rejection.map(({ title, reason, at }) => (
              <li key={`${at} ${title}`}>
                <Typography.Text ellipsis={{ tooltip: title }}>{title}</Typography.Text>
                <Typography.Text type="secondary">
                  {reason || '没有写原因'} · {formatTime(at).slice(0, 10)}
                </Typography.Text>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function MemberSince({ at }: { at: number }) {
  const [now] = useState(Date.now)
  return (
    <Typography.Text type="secondary" className={styles.since}>
      {formatTime(at).slice(0, 10)} 注册（{formatRelative(at, now)}）
    </Typography.Text>
  )
}
