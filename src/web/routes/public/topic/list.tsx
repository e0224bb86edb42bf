import type { Route } from './+types/list.ts'
import { Pager } from '#web/features/lists/pager.tsx'
import { describeError } from '#web/features/site/error-page.tsx'
import { loadTopics, topicsPerPage } from '#web/features/topics/load-topics.ts'
import { TopicGrid } from '#web/features/topics/topic-grid.tsx'
import { pageMeta } from '#web/domain/seo.ts'
import { useRefetchWhenSignedIn } from '#web/lib/as-member.ts'
import { load } from '#web/lib/load.ts'
import { displayFont } from '#web/ui/display-font.ts'
import { cx } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Page } from '#web/ui/page.tsx'

const page = load(loadTopics)
export const loader = page.server
export const clientLoader = page.client
export const handle = { queryKeys: ['page'] }

const title = '专题'

export default function Topics({ loaderData: { total, topics, renderedAnonymously } }: Route.ComponentProps) {
  useRefetchWhenSignedIn(renderedAnonymously)
  return (
    <Page>
      <h1 className={cx('text-2xl', displayFont(title))}>{title}</h1>
      <p className="mt-2 text-sm text-muted">编辑挑选的文档和文章，一个题目一组。</p>
      <div className="mt-6 pb-12">
        {topics.length === 0 ? (
          <EmptyState title="还没有专题">编辑整理好的专题会列在这里。</EmptyState>
        ) : (
          <TopicGrid isFirst topics={topics} className="grid-cols-2 lg:grid-cols-3 xl:grid-cols-4" />
        )}
        <Pager total={total} size={topicsPerPage} />
      </div>
    </Page>
  )
}

export function meta({ matches, error }: Route.MetaArgs) {
  const site = matches[0].loaderData
  if (error) return pageMeta(site, { title: describeError(error).message })
  return pageMeta(site, { title, description: '编辑挑选的文档和文章，一个题目一组。', path: '/topic' })
}
