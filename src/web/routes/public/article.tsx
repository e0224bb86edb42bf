import { lazy, Suspense, useCallback } from 'react'
import { useRevalidator } from 'react-router'
import type { Route } from './+types/article.ts'
import { ArticleHead } from '#web/features/articles/article-head.tsx'
import { articleMeta } from '#web/features/articles/article-meta.ts'
import { rightsTo } from '#web/features/articles/article-rights.ts'
import { ArticleStatus } from '#web/features/articles/article-status.tsx'
import { AuthorCard } from '#web/features/articles/author-card.tsx'
import { ArticleBody } from '#web/features/articles/body/article-body.tsx'
import { Contents, ContentsSheet } from '#web/features/articles/contents.tsx'
import { RelatedArticles } from '#web/features/articles/related-articles.tsx'
import { TagLinks } from '#web/features/articles/tag-links.tsx'
import { useActiveHeading } from '#web/features/articles/use-active-heading.ts'
import { describe, ErrorPage } from '#web/features/site/error-page.tsx'
import { Page } from '#web/features/site/page.tsx'
import { Comments } from '#web/features/social/comments.tsx'
import { FavoriteButton } from '#web/features/social/favorite-button.tsx'
import { load } from '#web/lib/load.ts'
import { useOwnEyes, useSecondLook } from '#web/lib/own-eyes.ts'
import { articlePath, categoryPath } from '#web/lib/paths.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { useSession } from '#web/lib/session.ts'
import { Breadcrumb } from '#web/ui/breadcrumb.tsx'
import { ShareBox } from '#web/ui/share-box.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'

// What only its author or the staff may do comes when it is needed.
const ArticleActions = lazy(async () => ({
  default: (await import('#web/features/articles/article-actions.tsx')).ArticleActions,
}))

// The server brings the first page's data, so the browser needs the means to ask only when one goes on.
const page = load(async (given) => (await import('#web/features/articles/load-article.ts')).loadArticle(given))
export const loader = page.server
export const clientLoader = page.client

export default function ArticlePage({ loaderData }: Route.ComponentProps) {
  // From one article to the next nothing stays open and nothing stays marked.
  return <Reading key={loaderData.article.id} {...loaderData} />
}

export function meta({ matches, loaderData, error }: Route.MetaArgs) {
  const site = matches[0].loaderData
  if (!loaderData) return pageMeta(site, error ? { title: describe(error).message } : {})
  return articleMeta(loaderData.article, site)
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return describe(error).status === 404 ? <PerhapsMine error={error} /> : <ErrorPage error={error} />
}

function Reading({ article, html, headings, related, latest, forStranger }: Route.ComponentProps['loaderData']) {
  const { identifier } = article
  useOwnEyes({ forStranger, ownerId: article.user_id, countReader: () => void countReader(identifier) })
  const active = useActiveHeading(headings)
  const hasContents = headings.length > 1
  return (
    <Page>
      <div className="mx-auto grid max-w-[67rem] gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,45rem)_minmax(14rem,1fr)]">
        <article className="min-w-0 max-lg:mx-auto max-lg:w-full max-lg:max-w-read">
          <Breadcrumb
            crumbs={[
              { title: '首页', to: '/' },
              { title: '文章', to: '/article' },
              ...article.category.map(({ id, title }) => ({ title, to: categoryPath({ id, type: 1 }) })),
              { title: '阅读' },
            ]}
          />
          <div className="mt-5">
            <ArticleHead article={article} actions={<Actions article={article} />} />
          </div>
          <div className="mt-5 empty:hidden">
            <ArticleStatus article={article} />
          </div>
          <div className="mt-6 border-t border-line pt-7">
            <ArticleBody html={html} />
          </div>
          <div className="mt-10">
            <TagLinks keywords={article.keywords} />
          </div>
          {article.status === 1 && <Echo article={article} />}
        </article>
        <aside aria-label="作者与目录" className="min-w-0 space-y-6 max-lg:mx-auto max-lg:w-full max-lg:max-w-read">
          <AuthorCard author={article.user} latest={latest} />
          <div className="space-y-6 lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto">
            {hasContents && (
              <div className="max-lg:hidden">
                <Contents headings={headings} active={active} />
              </div>
            )}
            <RelatedArticles articles={related} />
          </div>
        </aside>
      </div>
      {hasContents && <ContentsSheet headings={headings} active={active} />}
    </Page>
  )
}

/** What readers do with an article once they may read it. */
function Echo({ article }: Pick<Route.ComponentProps['loaderData'], 'article'>) {
  return (
    <>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-y border-line py-4">
        <FavoriteButton type={1} id={article.id} count={article.favorite_count} />
        <ShareBox path={articlePath(article)} title={article.title} />
      </div>
      <div className="mt-10">
        <Comments type={1} id={article.id} />
      </div>
    </>
  )
}

function PerhapsMine({ error }: { error: unknown }) {
  // Until another answer has come, members are not told that there is nothing.
  if (useSecondLook(error)) {
    return (
      <Page narrow>
        <SkeletonRows count={8} />
      </Page>
    )
  }
  return (
    <div data-for="guest">
      <ErrorPage error={error} />
    </div>
  )
}

async function countReader(identifier: string): Promise<void> {
  const load = await import('#web/features/articles/load-article.ts')
  await load.countReader(identifier)
}

function Actions({ article }: Pick<Route.ComponentProps['loaderData'], 'article'>) {
  const { revalidate } = useRevalidator()
  const refresh = useCallback(() => void revalidate(), [revalidate])
  const rights = rightsTo(article, useSession())
  if (!rights.edit && !rights.delete && !rights.check && !rights.recommend) return null
  return (
    <Suspense>
      <ArticleActions article={article} rights={rights} onChanged={refresh} />
    </Suspense>
  )
}
