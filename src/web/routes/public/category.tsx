import type { Route } from './+types/category.ts'
import { CategoryBlocks } from '#web/features/site/category-blocks.tsx'
import { categoryPath } from '#web/features/site/category-path.ts'
import { Page } from '#web/features/site/page.tsx'
import { loadSite } from '#web/lib/load-site.ts'
import { load, notFound } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { pathTo } from '#web/lib/tree.ts'
import { Breadcrumb } from '#web/ui/breadcrumb.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

const page = load(async ({ api, params }) => {
  const { documentCategories } = await loadSite(api)
  const path = params.id === undefined ? [] : pathTo(documentCategories, Number(params.id))
  if (params.id !== undefined && path.length === 0) throw notFound('没有这个分类')
  return { path, below: path.at(-1)?.children ?? documentCategories }
})
export const loader = page.server
export const clientLoader = page.client

export default function Category({ loaderData: { path, below } }: Route.ComponentProps) {
  const here = path.at(-1)
  const crumbs = [
    { title: '首页', to: '/' },
    here ? { title: '全部分类', to: '/category' } : { title: '全部分类' },
    ...path.map((category) =>
      category === here ? { title: category.title } : { title: category.title, to: categoryPath(category) },
    ),
  ]
  return (
    <Page>
      <Breadcrumb crumbs={crumbs} />
      <h1 className="mt-4 text-2xl">{here?.title ?? '全部分类'}</h1>
      {here?.show_description && here.description && <p className="mt-2 max-w-2xl text-muted">{here.description}</p>}
      {below.length > 0 && (
        <div className="mt-6">
          <CategoryBlocks categories={below} />
        </div>
      )}
      <EmptyState title="还没有文档" action={<ButtonLink to="/upload">上传文档</ButtonLink>}>
        {here ? `“${here.title}”下还没有文档。` : '上传的文档会按分类排在这里。'}
      </EmptyState>
    </Page>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: loaderData?.path.at(-1)?.title ?? '全部分类' })
}
