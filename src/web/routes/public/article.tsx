import type { Route } from './+types/article.ts'
import { houseArticles } from '#web/features/articles/house-articles.tsx'
import { Page } from '#web/features/site/page.tsx'
import { load, notFound } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { useSite } from '#web/lib/site.ts'
import { Breadcrumb } from '#web/ui/breadcrumb.tsx'

const page = load(async ({ params: { identifier = '' } }) => {
  if (!Object.hasOwn(houseArticles, identifier)) throw notFound('没有这篇文章')
  return { identifier }
})
export const loader = page.server
export const clientLoader = page.client

export default function Article({ loaderData: { identifier } }: Route.ComponentProps) {
  const { sitename } = useSite().settings.system
  const article = houseArticles[identifier]
  return (
    <Page narrow>
      <Breadcrumb
        crumbs={[{ title: '首页', to: '/' }, { title: '文章', to: '/article' }, { title: article?.title ?? '' }]}
      />
      <article className="mt-6">
        <h1 className="text-3xl leading-snug font-bold">{article?.title}</h1>
        <div className="prose-cn mt-6 text-[1.0625rem]">{article?.body(sitename || '文豆')}</div>
      </article>
    </Page>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: houseArticles[loaderData?.identifier ?? '']?.title ?? '文章' })
}
