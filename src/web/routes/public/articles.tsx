import type { Route } from './+types/articles.ts'
import { Page } from '#web/features/site/page.tsx'
import { pageMeta } from '#web/lib/seo.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

export default function Articles() {
  return (
    <Page>
      <h1 className="text-2xl">文章</h1>
      <EmptyState title="还没有文章" action={<ButtonLink to="/post">发布文章</ButtonLink>}>
        发布的文章会按时间排在这里。
      </EmptyState>
    </Page>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '文章' })
}
