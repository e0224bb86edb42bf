import { isBuiltInPage } from '#shared/contract/articles.ts'
import { ReviewStatus, ContentType } from '#shared/enums.ts'
import { Suspense, useCallback } from 'react'
import { useRevalidator } from 'react-router'
import type { Route } from './+types/article.ts'
import { ArticleHead } from '#web/features/articles/article-head.tsx'
import { articleMeta } from '#web/features/articles/article-meta.ts'
import { articleRights } from '#web/features/articles/article-rights.ts'
import { ArticleStatus } from '#web/features/articles/article-status.tsx'
import { ArticleAuthor } from '#web/features/articles/article-author.tsx'
import { ArticleBody } from '#web/features/articles/body/article-body.tsx'
import { Contents, ContentsSheet } from '#web/features/articles/contents.tsx'
import { LikeButton } from '#web/features/articles/likes/like-button.tsx'
import { RelatedArticles } from '#web/features/articles/related-articles.tsx'
import { TagLinks } from '#web/features/articles/tag-links.tsx'
import { useActiveHeading } from '#web/features/articles/use-active-heading.ts'
import { describeError } from '#web/features/site/error-page.tsx'
import { NotFoundOrOwn } from '#web/features/site/not-found-or-own.tsx'
import { Page } from '#web/ui/page.tsx'
import { Comments } from '#web/features/social/comments/comments.tsx'
import { CollectButton } from '#web/features/social/collect/collect-button.tsx'
import { FavoriteButton } from '#web/features/social/favorite-button.tsx'
import { load } from '#web/lib/load.ts'
import { useRefetchAsMember } from '#web/lib/as-member.ts'
import { articlePath, categoryPath } from '#web/domain/paths.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { SourceLine } from '#web/domain/source-line.tsx'
import { useSession } from '#web/lib/session.ts'
import { Breadcrumb } from '#web/ui/navigation/breadcrumb.tsx'
import { ShareBox } from '#web/features/social/share/share-box.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

// Only authors and staff load it.
const ArticleActions = lazyPart(async () => (await import('#web/features/articles/article-actions.tsx')).ArticleActions)

// Loaded by the server with the first page: the browser needs this code only for the next one.
const page = load(async (args) => (await import('#web/features/articles/load-article.ts')).loadArticle(args))
export const loader = page.server
export const clientLoader = page.client

export default function ArticlePage({ loaderData }: Route.ComponentProps) {
  // Another article starts with fresh state.
  return <ArticleView key={loaderData.article.id} loaded={loaderData} />
}

export function meta({ matches, loaderData, error }: Route.MetaArgs) {
  const site = matches[0].loaderData
  if (!loaderData) return pageMeta(site, error ? { title: describeError(error).message } : {})
  return articleMeta(loaderData.article, site)
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <NotFoundOrOwn error={error} narrow />
}

function ArticleView({ loaded }: { loaded: Route.ComponentProps['loaderData'] }) {
  const { article, headings, related, latest, renderedAnonymously } = loaded
  const { identifier } = article
  useRefetchAsMember({ renderedAnonymously, ownerId: article.user_id, countView: () => void countView(identifier) })
  const active = useActiveHeading(headings)
  const hasContents = headings.length > 1
  const isPlain = isBuiltInPage(identifier)
  return (
    <Page>
      <div className="mx-auto grid max-w-[67rem] gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,45rem)_minmax(14rem,1fr)]">
        <article className="min-w-0 max-lg:mx-auto max-lg:w-full max-lg:max-w-read">
          <Breadcrumb
            crumbs={[
              { title: '首页', to: '/' },
              ...(isPlain ? [] : [{ title: '文章', to: '/article' }]),
              ...article.category.map(({ id, title }) => ({
                title,
                to: categoryPath({ id, type: ContentType.Article }),
              })),
              { title: '阅读' },
            ]}
          />
          <div className="mt-5">
            <ArticleHead article={article} isPlain={isPlain} actions={<Actions article={article} />} />
          </div>
          <div className="mt-5 empty:hidden">
            <ArticleStatus article={article} />
          </div>
          <div className="mt-6 border-t border-line pt-7">
            {/* Another text gets a new element: additions to the last one must not stay. */}
            <ArticleBody key={article.updated_at} loaded={loaded} />
          </div>
          <div className="mt-10 space-y-4">
            <SourceLine of={article} />
            {!isPlain && <TagLinks keywords={article.keywords} />}
          </div>
          {article.status === ReviewStatus.Approved && !isPlain && <Reactions article={article} />}
        </article>
        <aside
          aria-label={isPlain ? '目录' : '作者与目录'}
          className="min-w-0 space-y-6 max-lg:mx-auto max-lg:w-full max-lg:max-w-read"
        >
          {!isPlain && <ArticleAuthor author={article.user} latest={latest} />}
          <div className="space-y-6 lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto">
            {hasContents && (
              <div className="max-lg:hidden">
                <Contents headings={headings} active={active} />
              </div>
            )}
            {!isPlain && <RelatedArticles articles={related} />}
          </div>
        </aside>
      </div>
      {hasContents && <ContentsSheet headings={headings} active={active} />}
    </Page>
  )
}

/** Likes, favorites, sharing and comments of a public article. */
function Reactions({ article }: Pick<Route.ComponentProps['loaderData'], 'article'>) {
  return (
    <>
      <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-y border-line py-4">
        <span className="flex flex-wrap gap-2">
          <LikeButton id={article.id} count={article.like_count} />
          <FavoriteButton type={ContentType.Article} id={article.id} count={article.favorite_count} />
          <CollectButton type={ContentType.Article} id={article.id} />
        </span>
        <ShareBox path={articlePath(article)} title={article.title} />
      </div>
      <div className="mt-10">
        <Comments type={ContentType.Article} id={article.id} />
      </div>
    </>
  )
}

async function countView(identifier: string): Promise<void> {
  const module = await import('#web/features/articles/load-article.ts').catch(() => undefined)
  await module?.countView(identifier)
}

function Actions({ article }: Pick<Route.ComponentProps['loaderData'], 'article'>) {
  const { revalidate } = useRevalidator()
  const refresh = useCallback(() => void revalidate(), [revalidate])
  const rights = articleRights(article, useSession())
  if (!rights.edit && !rights.delete && !rights.check && !rights.recommend) return null
  return (
    <Suspense>
      <ArticleActions article={article} rights={rights} onChanged={refresh} />
    </Suspense>
  )
}
