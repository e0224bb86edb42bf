import { useEffect, useRef } from 'react'
import { useRevalidator } from 'react-router'
import type { Route } from './+types/overview.ts'
import { activities } from '#shared/contract/activities.ts'
import type { User } from '#shared/contract/user.ts'
import { formatTime } from '#shared/format.ts'
import { CheckInButton } from '#web/features/users/check-in/check-in-button.tsx'
import { MemberList } from '#web/features/lists/member-list.tsx'
import { Counts } from '#web/features/users/account/counts.tsx'
import { ActivityTimeline } from '#web/features/users/account/activity-timeline.tsx'
import { useCheckIn } from '#web/features/users/check-in/check-in.ts'
import { load } from '#web/lib/load.ts'
import { useSession } from '#web/lib/session.ts'
import { topUpPath, useTakesMoney } from '#web/domain/orders.ts'
import { useCreditName } from '#web/domain/site.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { parsePage } from '#web/ui/navigation/pagination.tsx'

const size = 20

export const clientLoader = load(async ({ api, url }) => ({
  ...(await api(activities.list, { page: parsePage(url.searchParams), size })),
  now: Date.now(),
})).client

export default function Overview({ matches, loaderData: { total, dynamic, now } }: Route.ComponentProps) {
  const creditName = useCreditName()
  useRefreshAfterCheckIn()
  return (
    <div className="space-y-6">
      <Facts user={matches[2].loaderData.user} credit={creditName} />
      <Card title="我的动态">
        <MemberList
          total={total}
          size={size}
          rows={dynamic.length}
          empty={
            <EmptyState title="还没有动态" action={<ButtonLink to="/category">去逛逛</ButtonLink>}>
              您的签到、上传、下载、收藏和评论会记在这里。
            </EmptyState>
          }
        >
          <ActivityTimeline activities={dynamic} now={now} credit={creditName} />
        </MemberList>
      </Card>
    </div>
  )
}

function Facts({ user, credit }: { user: User; credit: string }) {
  const { groups } = useSession()
  const canTopUp = useTakesMoney()
  const counts = [
    { title: credit, count: user.credit_count, to: '/me/credit' },
    { title: '文档', count: user.doc_count, to: '/me/document' },
    { title: '文章', count: user.article_count, to: '/me/article' },
    { title: '收藏', count: user.favorite_count, to: '/me/favorite' },
  ]
  const facts = [
    { title: '用户组', text: groups.map(({ title }) => title).join('、') },
    { title: '注册时间', text: user.created_at === null ? '' : formatTime(user.created_at) },
    {
      title: '上次登录',
      text: [user.login_at === null ? '' : formatTime(user.login_at), user.last_login_ip].filter(Boolean).join(' · '),
    },
  ].filter(({ text }) => text !== '')
  return (
    <Card>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-lg">概览</h2>
        <div className="flex gap-2">
          {canTopUp && (
            <ButtonLink to={topUpPath} size="sm">
              充值
            </ButtonLink>
          )}
          <CheckInButton size="sm" />
        </div>
      </div>
      <Counts counts={counts} />
      <dl className="mt-5 flex flex-wrap gap-x-8 gap-y-2 text-sm">
        {facts.map(({ title, text }) => (
          <div key={title} className="flex gap-2">
            <dt className="shrink-0 text-muted">{title}</dt>
            <dd className="min-w-0 tabular-nums">{text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

/** A check-in changes the credits and adds an activity. */
function useRefreshAfterCheckIn(): void {
  const { isBusy, hasCheckedIn } = useCheckIn()
  const { revalidate } = useRevalidator()
  const wasBusy = useRef(false)
  useEffect(() => {
    if (hasCheckedIn && wasBusy.current) void revalidate()
    wasBusy.current = isBusy
  }, [isBusy, hasCheckedIn, revalidate])
}
