import { useRevalidator } from 'react-router'
import type { Route } from './+types/articles.ts'
import { FollowTarget } from '#shared/collections.ts'
import { ArticleItem, ArticleItemSkeleton } from '#web/features/articles/browse/article-item.tsx'
import { articleListMeta } from '#web/features/articles/browse/article-list-meta.ts'
import {
  articleListPath,
  articleQueryKeys,
  pageSize,
  reachableTotal,
  tabs,
  type Tab,
} from '#web/features/articles/browse/article-query.ts'
import { CategoryNav } from '#web/features/articles/browse/category-nav.tsx'
import { NoArticles } from '#web/features/articles/browse/no-articles.tsx'
import { Recommended } from '#web/features/articles/browse/recommended.tsx'
import { ChoiceTabs } from '#web/features/lists/choice-tabs.tsx'
import { PagedList } from '#web/features/lists/paged-list.tsx'
import { describeError } from '#web/features/site/error-page.tsx'
import { FollowButton } from '#web/features/social/follow/follow-button.tsx'
import { FooterLinks, LegalNotice } from '#web/features/site/shell/footer-links.tsx'
import { Page } from '#web/ui/page.tsx'
import { load } from '#web/lib/load.ts'
import { useInvitations } from '#web/domain/contributions.ts'
import { pageMeta } from '#web/domain/seo.ts'
import type { CategoryNode } from '#web/domain/site.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'

// Loaded by the server with the first page: the browser needs this code only for the next one.
const page = load(async (args) => (await import('#web/features/articles/browse/load-articles.ts')).loadArticles(args))
export const loader = page.server
export const clientLoader = page.client
export const handle = { queryKeys: articleQueryKeys }

export default function Articles({ loaderData: { query, path, list, recommended, now } }: Route.ComponentProps) {
  const { revalidate, state } = useRevalidator()
  const category = path.at(-1)
  return (
    <Page>
      <div className="grid gap-x-8 gap-y-5 pb-12 md:grid-cols-[10rem_minmax(0,1fr)] xl:grid-cols-[11rem_minmax(0,1fr)_17rem]">
        <aside
          aria-label="文章分类"
          className="max-h-[calc(100dvh-6rem)] min-w-0 overflow-y-auto md:sticky md:top-20 md:self-start"
        >
          <CategoryNav query={query} path={path} />
        </aside>
        <div className="min-w-0">
          <Title category={category} isFirst={query.page === 1} />
          <div className="mt-3 flex items-center border-b border-line">
            <ChoiceTabs
              label="排序"
              choices={(Object.keys(tabs) as Tab[]).map((tab) => ({
                title: tabs[tab].title,
                to: articleListPath(query, { tab }),
                isChosen: query.tab === tab,
              }))}
            />
            <p className="ml-auto shrink-0 pl-4 text-sm text-muted tabular-nums">共 {list.total} 篇</p>
          </div>
          <div className="pt-5">
            {list.problem === '' ? (
              <PagedList
                total={reachableTotal(list.total)}
                page={query.page}
                size={pageSize}
                rows={list.articles.length}
                skeleton={<ArticleItemSkeleton />}
                empty={<NoArticles query={query} category={category} total={list.total} />}
              >
                {list.articles.map((article) => (
                  <ArticleItem key={article.identifier} article={article} now={now} />
                ))}
              </PagedList>
            ) : (
              <ErrorState message={list.problem} retry={() => void revalidate()} busy={state === 'loading'} />
            )}
          </div>
        </div>
        <aside aria-label="推荐" className="space-y-6 md:col-start-2 xl:sticky xl:top-20 xl:col-start-3 xl:self-start">
          <Recommended first={recommended} />
          <footer className="space-y-2.5 px-1 text-sm text-muted">
            <FooterLinks />
            <LegalNotice />
          </footer>
        </aside>
      </div>
    </Page>
  )
}

export function meta({ matches, loaderData, error }: Route.MetaArgs) {
  const site = matches[0].loaderData
  if (!loaderData) return pageMeta(site, error ? { title: describeError(error).message } : {})
  const { path, query, list } = loaderData
  return articleListMeta({ path, query, rows: list.articles.length }, site)
}

function Title({ category, isFirst }: { category: CategoryNode | undefined; isFirst: boolean }) {
  const { publish } = useInvitations()
  return (
    <header>
      <div className="flex items-center justify-between gap-4">
        <h1 className="min-w-0 text-2xl">{category?.title ?? '文章'}</h1>
        <span className="flex shrink-0 items-center gap-2">
          {category && <FollowButton kind={FollowTarget.Category} id={category.id} />}
          {publish && (
            <ButtonLink to="/post" size="sm">
              发布文章
            </ButtonLink>
          )}
        </span>
      </div>
      {isFirst && category?.description && <p className="mt-2 max-w-2xl text-sm text-muted">{category.description}</p>}
    </header>
  )
}
