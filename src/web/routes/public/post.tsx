import type { Route } from './+types/post.ts'
import { DeskSkeleton } from '#web/features/editor/desk-skeleton.tsx'
import { loadDesk } from '#web/features/editor/load-desk.ts'
import { PostPage } from '#web/features/editor/post-page.tsx'
import { Page } from '#web/features/site/page.tsx'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'

export const clientLoader = load(({ api, url }) =>
  loadDesk(api, { identifier: url.searchParams.get('identifier') ?? '' }),
).client

export default function Post({ loaderData }: Route.ComponentProps) {
  return (
    <Page>
      <h1 className="mb-5 text-2xl">{loaderData.article ? '修改文章' : '发布文章'}</h1>
      <PostPage {...loaderData} />
    </Page>
  )
}

export function HydrateFallback() {
  return (
    <Page>
      <h1 className="mb-5 text-2xl">发布文章</h1>
      <DeskSkeleton />
    </Page>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: loaderData?.article ? '修改文章' : '发布文章' })
}
