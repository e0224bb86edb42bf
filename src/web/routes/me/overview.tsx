import type { Route } from './+types/overview.ts'
import { sessions, type User } from '#shared/contract/users.ts'
import { formatTime } from '#shared/format.ts'
import { DeviceList } from '#web/features/users/device-list.tsx'
import { load } from '#web/lib/load.ts'
import { useSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/site.ts'
import { Card } from '#web/ui/card.tsx'

export const clientLoader = load(async ({ api }) => ({ devices: (await api(sessions.list)).session })).client

export default function Overview({ matches, loaderData: { devices } }: Route.ComponentProps) {
  return (
    <div className="space-y-6">
      <Facts user={matches[2].loaderData.user} />
      <Card title="登录的设备">
        <DeviceList devices={devices} />
      </Card>
    </div>
  )
}

function Facts({ user }: { user: User }) {
  const { groups } = useSession()
  const { credit_name } = useSite().settings.system
  const figures = [
    { title: credit_name || '豆子', count: user.credit_count },
    { title: '文档', count: user.doc_count },
    { title: '文章', count: user.article_count },
    { title: '收藏', count: user.favorite_count },
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
    <Card title="概览">
      <dl className="grid grid-cols-2 gap-y-4 sm:grid-cols-4">
        {figures.map(({ title, count }) => (
          <div key={title} className="flex flex-col-reverse">
            <dt className="text-sm text-muted">{title}</dt>
            <dd className="text-2xl font-semibold tabular-nums">{count}</dd>
          </div>
        ))}
      </dl>
      <dl className="mt-5 space-y-2 border-t border-line pt-5 text-sm">
        {facts.map(({ title, text }) => (
          <div key={title} className="flex gap-4">
            <dt className="w-20 shrink-0 text-muted">{title}</dt>
            <dd className="min-w-0 tabular-nums">{text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
