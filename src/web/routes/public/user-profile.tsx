import type { Route } from './+types/user-profile.ts'
import { useSite } from '#web/lib/site.ts'

export default function UserProfile({ matches }: Route.ComponentProps) {
  const { credit_name } = useSite().settings.system
  const { user } = matches[2].loaderData
  const facts = [
    { title: '文档', count: user.doc_count },
    { title: '文章', count: user.article_count },
    { title: '收藏', count: user.favorite_count },
    { title: credit_name || '豆子', count: user.credit_count },
  ]
  return (
    <dl className="mt-6 grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-4">
      {facts.map(({ title, count }) => (
        <div key={title} className="flex flex-col-reverse bg-surface p-5">
          <dt className="text-sm text-muted">{title}</dt>
          <dd className="text-2xl font-semibold tabular-nums">{count}</dd>
        </div>
      ))}
    </dl>
  )
}
