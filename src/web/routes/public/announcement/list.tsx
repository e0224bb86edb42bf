import { Link } from 'react-router'
import type { Route } from './+types/list.ts'
import { announcements, type PublishedAnnouncement } from '#shared/contract/announcements.ts'
import { formatTime } from '#shared/format.ts'
import { describeError } from '#web/features/site/error-page.tsx'
import { Pager } from '#web/features/lists/pager.tsx'
import { useRefetchWhenSignedIn } from '#web/lib/as-member.ts'
import { load } from '#web/lib/load.ts'
import { announcementPath } from '#web/domain/paths.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { parsePage } from '#web/ui/navigation/pagination.tsx'
import { Page } from '#web/ui/page.tsx'

const size = 20

const page = load(async ({ api, url }) => ({
  ...(await api(announcements.published, { page: parsePage(url.searchParams), size })),
  renderedAnonymously: import.meta.env.SSR,
}))
export const loader = page.server
export const clientLoader = page.client
export const handle = { queryKeys: ['page'] }

export default function Announcements({ loaderData }: Route.ComponentProps) {
  const { total, announcement, renderedAnonymously } = loaderData
  useRefetchWhenSignedIn(renderedAnonymously)
  return (
    <Page narrow>
      <h1 className="text-2xl">公告</h1>
      <div className="mt-5 pb-12">
        {announcement.length === 0 ? (
          <EmptyState title="还没有公告">网站的通知会列在这里。</EmptyState>
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {announcement.map((row) => (
              <Row key={row.id} announcement={row} />
            ))}
          </ul>
        )}
        <Pager total={total} size={size} />
      </div>
    </Page>
  )
}

export function meta({ matches, error }: Route.MetaArgs) {
  const site = matches[0].loaderData
  return pageMeta(site, error ? { title: describeError(error).message } : { title: '公告', path: '/announcement' })
}

function Row({ announcement }: { announcement: PublishedAnnouncement }) {
  const { title, published_at, is_over } = announcement
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-4">
      <Link to={announcementPath(announcement)} className="min-w-0 flex-1 basis-72 font-medium hover:text-accent">
        {title}
      </Link>
      <p className="flex gap-3 text-sm text-muted tabular-nums">
        {is_over && <span>已结束</span>}
        {published_at !== null && (
          <time dateTime={new Date(published_at).toISOString()}>{formatTime(published_at)}</time>
        )}
      </p>
    </li>
  )
}
