import type { Route } from './+types/page.ts'
import { formatTime } from '#shared/format.ts'
import { describeError } from '#web/features/site/error-page.tsx'
import { NotFoundOrOwn } from '#web/features/site/not-found-or-own.tsx'
import { loadTopic } from '#web/features/topics/load-topics.ts'
import { TopicEntries } from '#web/features/topics/topic-entries.tsx'
import { topicMeta } from '#web/features/topics/topic-meta.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { useRefetchWhenSignedIn } from '#web/lib/as-member.ts'
import { load } from '#web/lib/load.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Breadcrumb } from '#web/ui/navigation/breadcrumb.tsx'
import { Page } from '#web/ui/page.tsx'

const page = load(loadTopic)
export const loader = page.server
export const clientLoader = page.client

export default function Topic({ loaderData }: Route.ComponentProps) {
  const { title, summary, cover, count, updated_at, entries, renderedAnonymously } = loaderData
  useRefetchWhenSignedIn(renderedAnonymously)
  return (
    <Page narrow>
      <Breadcrumb crumbs={[{ title: '首页', to: '/' }, { title: '专题', to: '/topic' }, { title: '目录' }]} />
      <header className="mt-5 border-b border-line pb-6">
        {cover && (
          <img
            src={cover}
            alt=""
            width={960}
            height={540}
            className="mb-6 aspect-video w-full rounded-lg bg-sunken object-cover"
          />
        )}
        <h1 className="font-title text-2xl leading-snug wrap-anywhere md:text-3xl">{title}</h1>
        <p className="mt-2 text-sm text-muted tabular-nums">
          共 {count} 项
          {updated_at !== null && (
            <time dateTime={new Date(updated_at).toISOString()} className="ml-3" suppressHydrationWarning>
              {formatTime(updated_at).slice(0, 10)} 更新
            </time>
          )}
        </p>
        {summary && <p className="mt-4 leading-relaxed whitespace-pre-line">{summary}</p>}
      </header>
      <div className="pb-12">
        {entries.length === 0 ? (
          <EmptyState title="这个专题还空着">编辑正在整理，过些时候再来看看。</EmptyState>
        ) : (
          <TopicEntries entries={entries} />
        )}
      </div>
    </Page>
  )
}

export function meta({ matches, loaderData, error }: Route.MetaArgs) {
  const site = matches[0].loaderData
  if (!loaderData) return pageMeta(site, error ? { title: describeError(error).message } : {})
  return topicMeta(loaderData, site)
}

/** Staff see topics that are not published yet. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <NotFoundOrOwn error={error} narrow />
}
