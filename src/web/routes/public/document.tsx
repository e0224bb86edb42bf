import { lazy, Suspense, useCallback, useMemo } from 'react'
import { useRevalidator } from 'react-router'
import type { Route } from './+types/document.ts'
import { isConverting } from '#shared/document-status.ts'
import { AuthorCard } from '#web/features/documents/author-card.tsx'
import { DocumentHead } from '#web/features/documents/document-head.tsx'
import { documentMeta } from '#web/features/documents/document-meta.ts'
import { DownloadButton } from '#web/features/documents/download-button.tsx'
import { EndBlock } from '#web/features/documents/end-block.tsx'
import { NoPreview } from '#web/features/documents/no-preview.tsx'
import { priceText } from '#web/features/documents/price-text.ts'
import { Reader } from '#web/features/documents/reader/reader.tsx'
import { RelatedList } from '#web/features/documents/related-list.tsx'
import { StatusBar } from '#web/features/documents/status-bar.tsx'
import { adHeight } from '#web/lib/ad-frame.ts'
import { AdSlot } from '#web/features/site/ad-slot.tsx'
import { Comments } from '#web/features/social/comments.tsx'
import { CommentsLink } from '#web/features/social/comments-link.tsx'
import { FavoriteButton } from '#web/features/social/favorite-button.tsx'
import { ReportButton } from '#web/features/social/report-button.tsx'
import { categoryPath } from '#web/lib/paths.ts'
import { describe, ErrorPage } from '#web/features/site/error-page.tsx'
import { Page } from '#web/features/site/page.tsx'
import { load } from '#web/lib/load.ts'
import { useOwnEyes, useSecondLook } from '#web/lib/own-eyes.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { isSignedIn, useSession, type Session } from '#web/lib/session.ts'
import { useSite, type Ad } from '#web/lib/site.ts'
import { Breadcrumb } from '#web/ui/breadcrumb.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'

// What only its owner or the staff may do, and what ends when the pages are there, comes when it is needed.
const OwnerActions = lazy(async () => ({
  default: (await import('#web/features/documents/owner-actions.tsx')).OwnerActions,
}))
const LiveConversion = lazy(async () => ({
  default: (await import('#web/features/documents/live-conversion.tsx')).LiveConversion,
}))

// The server brings the first page's data, so the browser needs the means to ask only when one goes on.
const page = load(async (given) => (await import('#web/features/documents/load-document.ts')).loadDocument(given))
export const loader = page.server
export const clientLoader = page.client

export default function DocumentPage({ loaderData }: Route.ComponentProps) {
  const { document, plan, ads, related, latest, start, find } = loaderData
  const { settings } = useSite()
  const session = useSession()
  const { revalidate } = useRevalidator()
  const refresh = useCallback(() => void revalidate(), [revalidate])
  useOwnEyes({
    forStranger: loaderData.forStranger,
    ownerId: document.user_id,
    countReader: () =>
      void import('#web/features/documents/load-document.ts').then(({ countReader }) => countReader(document.id)),
  })
  const between = useBetween(ads, session.user.is_vip)
  const own = isSignedIn(session) && session.user.id === document.user_id
  const favorites = settings.display.show_document_favorite_count ? document.favorite_count : undefined
  const price = priceText(document.price, settings.system.credit_name)
  const isGrowing = isConverting(document) && document.pages === 0
  return (
    <Page>
      <AdSlot position="document_top" ads={ads} />
      <Breadcrumb
        crumbs={[
          { title: '首页', to: '/' },
          { title: '全部分类', to: '/category' },
          ...document.category.map(({ id, title }) => ({ title, to: categoryPath({ id, type: 0 }) })),
          { title: '阅读' },
        ]}
      />
      <div className="mt-5 grid gap-8 lg:grid-cols-[minmax(0,1fr)_17rem] lg:gap-6 xl:grid-cols-[minmax(0,1fr)_18rem]">
        <article className="min-w-0">
          <DocumentHead
            document={document}
            settings={settings}
            actions={
              <>
                <CommentsLink count={document.comment_count}>
                  评论{document.comment_count > 0 && ` ${document.comment_count}`}
                </CommentsLink>
                <FavoriteButton type={0} id={document.id} count={favorites} size="sm" look="quiet" />
                {!own && <ReportButton id={document.id} size="sm" />}
                <OwnActions document={document} session={session} refresh={refresh} />
              </>
            }
          />
          <div className="mt-4 empty:hidden">
            <StatusBar document={document}>
              {isConverting(document) && (
                <Suspense>
                  <LiveConversion document={document} first={isGrowing ? plan.preview : 0} onChanged={refresh} />
                </Suspense>
              )}
            </StatusBar>
          </div>
          <div className="mt-4">
            {plan.preview > 0 ? (
              <Reader
                key={document.uuid}
                document={document}
                plan={plan}
                step={settings.display.pages_per_read}
                start={start}
                find={find}
                between={between}
                refresh={refresh}
                comments={
                  <span className="max-[23rem]:hidden">
                    <CommentsLink count={document.comment_count} />
                  </span>
                }
                action={
                  <DownloadButton document={document} size="sm">
                    <span className={document.price > 0 ? 'max-md:sr-only' : ''}>下载</span>
                    {document.price > 0 && <span>{price}</span>}
                  </DownloadButton>
                }
                end={
                  isGrowing ? (
                    <p aria-live="polite" className="py-8 text-center text-sm text-muted">
                      其余页面正在准备，好了会自动出现
                    </p>
                  ) : (
                    <EndBlock
                      document={document}
                      pages={plan.pages}
                      preview={plan.preview}
                      onScored={refresh}
                      download={
                        <DownloadButton document={document} size="lg">
                          {`下载文档（${price}）`}
                        </DownloadButton>
                      }
                      actions={
                        <>
                          <FavoriteButton type={0} id={document.id} count={favorites} />
                          {!own && <ReportButton id={document.id} />}
                        </>
                      }
                    />
                  )
                }
              />
            ) : (
              <NoPreview ext={document.ext} isComing={isConverting(document)}>
                <DownloadButton document={document}>{`下载文档（${price}）`}</DownloadButton>
              </NoPreview>
            )}
          </div>
          <AdSlot position="document_bottom" ads={ads} />
          <About document={document} showsDescription={settings.display.show_document_descriptions} />
          <div className="mt-10">
            <Comments type={0} id={document.id} />
          </div>
        </article>
        <aside aria-label="作者与相关文档" className="space-y-6">
          {document.user && <AuthorCard author={document.user} latest={latest} />}
          <div className="lg:sticky lg:top-20">
            <RelatedList documents={related} creditName={settings.system.credit_name} />
          </div>
        </aside>
      </div>
    </Page>
  )
}

export function meta({ matches, loaderData, error }: Route.MetaArgs) {
  const site = matches[0].loaderData
  if (!loaderData) return pageMeta(site, error ? { title: describe(error).message } : {})
  return documentMeta(loaderData.document, site)
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return describe(error).status === 404 ? <PerhapsMine error={error} /> : <ErrorPage error={error} />
}

/** The server draws pages for strangers. What does not exist for them may be a member's own, or the staff's to judge. */
function PerhapsMine({ error }: { error: unknown }) {
  // Until another answer has come, members are not told that there is nothing.
  if (useSecondLook(error)) {
    return (
      <Page>
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

type Loaded = Route.ComponentProps['loaderData']

function useBetween(ads: Ad[], isVip: boolean) {
  return useMemo(() => {
    const shown = isVip ? [] : ads.filter(({ position }) => position === 'document_between')
    return shown.map((ad) => ({
      height: adHeight(ad.content) + 16,
      content: <AdSlot position="document_between" ads={[ad]} />,
    }))
  }, [ads, isVip])
}

function OwnActions({
  document,
  session,
  refresh,
}: {
  document: Loaded['document']
  session: Session
  refresh: () => void
}) {
  if (!isSignedIn(session)) return null
  const own = session.user.id === document.user_id
  const may = (deed: string) => own || session.permissions.some(({ path }) => path.endsWith(`/${deed}`))
  const [canEdit, canDelete] = [may('UpdateDocument'), may('DeleteDocument')]
  if (!canEdit && !canDelete) return null
  const away = own ? '/me/document' : '/category'
  return (
    <Suspense>
      <OwnerActions document={document} canEdit={canEdit} canDelete={canDelete} away={away} onChanged={refresh} />
    </Suspense>
  )
}

/** In words, for those who read it, hear it or look for it. */
function About({ document, showsDescription }: { document: Loaded['document']; showsDescription: boolean }) {
  const { description, content, keywords, title } = document
  const isOwnWords = description !== '' && description !== title && !content.trimStart().startsWith(description)
  const tags = keywords.split(/[,，、;；\s]+/).filter(Boolean)
  return (
    <div className="mt-8 space-y-5">
      {showsDescription && isOwnWords && (
        <section>
          <h2 className="text-base">简介</h2>
          <p className="prose-cn mt-2 text-sm whitespace-pre-line text-muted">{description}</p>
        </section>
      )}
      {tags.length > 0 && (
        <ul aria-label="关键字" className="flex flex-wrap gap-2 text-sm">
          {tags.map((tag) => (
            <li key={tag} className="rounded-sm bg-sunken px-2 py-0.5 text-muted">
              {tag}
            </li>
          ))}
        </ul>
      )}
      {content.trim() !== '' && (
        <details className="rounded-md border border-line bg-surface text-sm">
          <summary className="px-4 py-2.5 font-medium">文本摘要</summary>
          <p className="border-t border-line px-4 py-3 leading-relaxed whitespace-pre-line text-muted">{content}</p>
        </details>
      )}
    </div>
  )
}
