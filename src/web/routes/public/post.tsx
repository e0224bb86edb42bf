import type { Route } from './+types/post.ts'
import { EditorSkeleton } from '#web/features/editor/editor-skeleton.tsx'
import { loadEditor } from '#web/features/editor/load-editor.ts'
import { PostPage } from '#web/features/editor/post-page.tsx'
import { Page } from '#web/ui/page.tsx'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'

export const clientLoader = load(({ api, url }) =>
  loadEditor(api, {
    identifier: url.searchParams.get('identifier') ?? '',
    draftId: parseId(url.searchParams.get('draft')),
  }),
).client

export default function Post({ loaderData }: Route.ComponentProps) {
  return (
    <Page>
      <h1 className="mb-5 text-2xl">{loaderData.article ? '修改文章' : '发布文章'}</h1>
      <PostPage {...loaderData} />
    </Page>
  )
}

function parseId(text: string | null): number {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}

export function HydrateFallback() {
  return (
    <Page>
      <h1 className="mb-5 text-2xl">发布文章</h1>
      <EditorSkeleton />
    </Page>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: loaderData?.article ? '修改文章' : '发布文章' })
}
