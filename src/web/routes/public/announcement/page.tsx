import type { Route } from './+types/page.ts'
import { announcements } from '#shared/contract/announcements.ts'
import { formatTime } from '#shared/format.ts'
import { describeError } from '#web/features/site/error-page.tsx'
import { NotFoundOrOwn } from '#web/features/site/not-found-or-own.tsx'
import { load, notFound } from '#web/lib/load.ts'
import { announcementPath } from '#web/domain/paths.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Breadcrumb } from '#web/ui/navigation/breadcrumb.tsx'
import { Page } from '#web/ui/page.tsx'
import { SafeHtml } from '#web/ui/safe-html.tsx'

const page = load(async ({ api, params: { id = '' } }) => {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound('公告不存在')
  return api(announcements.read, { id: Number(id) })
})
export const loader = page.server
export const clientLoader = page.client

export default function AnnouncementPage({ loaderData }: Route.ComponentProps) {
  const { title, html, published_at, is_over } = loaderData
  return (
    <Page narrow>
      <Breadcrumb crumbs={[{ title: '首页', to: '/' }, { title: '公告', to: '/announcement' }, { title: '阅读' }]} />
      <article className="mt-5 pb-12">
        <h1 className="text-2xl wrap-anywhere">{title}</h1>
        {published_at !== null && (
          <p className="mt-2 text-sm text-muted tabular-nums">
            <time dateTime={new Date(published_at).toISOString()}>{formatTime(published_at)}</time>
          </p>
        )}
        {is_over && (
          <div className="mt-4">
            <Notice>这条公告已经结束，留在这里供查阅。</Notice>
          </div>
        )}
        <div className="mt-6 border-t border-line pt-6">
          <SafeHtml html={html} className="prose-cn wrap-anywhere" />
        </div>
      </article>
    </Page>
  )
}

export function meta({ matches, loaderData, error }: Route.MetaArgs) {
  const site = matches[0].loaderData
  if (!loaderData) return pageMeta(site, error ? { title: describeError(error).message } : {})
  return pageMeta(site, { title: loaderData.title, path: announcementPath(loaderData), type: 'article' })
}

/** It may be for members or groups alone. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <NotFoundOrOwn error={error} narrow />
}
