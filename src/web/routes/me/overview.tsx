import { useEffect, useRef } from 'react'
import { useRevalidator } from 'react-router'
import type { Route } from './+types/overview.ts'
import { dynamics } from '#shared/contract/credits.ts'
import type { User } from '#shared/contract/users.ts'
import { formatTime } from '#shared/format.ts'
import { Pager } from '#web/features/documents/browse/pager.tsx'
import { useListPending } from '#web/features/documents/browse/use-list-pending.ts'
import { CheckInButton } from '#web/features/site/check-in.tsx'
import { Figures } from '#web/features/users/centre/figures.tsx'
import { Timeline } from '#web/features/users/centre/timeline.tsx'
import { useCheckIn } from '#web/lib/check-in.ts'
import { load } from '#web/lib/load.ts'
import { useSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { pageOf } from '#web/ui/pagination.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'

const size = 20

export const clientLoader = load(async ({ api, url }) => ({
  ...(await api(dynamics.list, { page: pageOf(url.searchParams), size })),
  now: Date.now(),
})).client

export default function Overview({ matches, loaderData: { total, dynamic, now } }: Route.ComponentProps) {
  const { credit_name } = useSite().settings.system
  const isPending = useListPending()
  useFreshAfterCheckIn()
  return (
    <div className="space-y-6">
      <Facts user={matches[2].loaderData.user} credit={credit_name || '豆子'} />
      <Card title="我的动态">
        {isPending ? (
          <SkeletonRows count={8} />
        ) : dynamic.length > 0 ? (
          <Timeline dynamics={dynamic} now={now} credit={credit_name || '豆子'} />
        ) : (
          <Nothing hasOthers={total > 0} />
        )}
        <Pager total={total} size={size} />
      </Card>
    </div>
  )
}

function Facts({ user, credit }: { user: User; credit: string }) {
  const { groups } = useSession()
  const figures = [
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
        <div>
          <CheckInButton size="sm" />
        </div>
      </div>
      <Figures figures={figures} />
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

function Nothing({ hasOthers }: { hasOthers: boolean }) {
  if (hasOthers) return <EmptyState title="没有这一页" action={<ButtonLink to="?page=1">回到第一页</ButtonLink>} />
  return (
    <EmptyState title="还没有动态" action={<ButtonLink to="/category">去逛逛</ButtonLink>}>
      您的签到、上传、下载、收藏和评论会记在这里。
    </EmptyState>
  )
}

/** Checking in brings credits and an entry in the list. */
function useFreshAfterCheckIn(): void {
  const { isBusy, signed } = useCheckIn()
  const { revalidate } = useRevalidator()
  const wasBusy = useRef(false)
  useEffect(() => {
    if (signed && wasBusy.current) void revalidate()
    wasBusy.current = isBusy
  }, [isBusy, signed, revalidate])
}
