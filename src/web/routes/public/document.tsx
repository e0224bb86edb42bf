import { Suspense, useCallback } from 'react'
import { useRevalidator } from 'react-router'
import type { Route } from './+types/document.ts'
import { isConverting } from '#shared/document-status.ts'
import { ContentType } from '#shared/enums.ts'
import { categoryPath } from '#web/domain/paths.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { AdSlot } from '#web/features/ads/ad-slot.tsx'
import { useInlineAds } from '#web/features/ads/inline-ads.tsx'
import { DocumentActions } from '#web/features/documents/page/document-actions.tsx'
import { DocumentAuthor } from '#web/features/documents/page/document-author.tsx'
import { DocumentHead } from '#web/features/documents/page/document-head.tsx'
import { documentMeta } from '#web/features/documents/page/document-meta.ts'
import { DocumentText } from '#web/features/documents/page/document-text.tsx'
import { EndBlock } from '#web/features/documents/page/end-block.tsx'
import { RelatedList } from '#web/features/documents/page/related-list.tsx'
import { StatusBar } from '#web/features/documents/page/status-bar.tsx'
import { Reader } from '#web/features/documents/reader/reader.tsx'
import { describeError } from '#web/features/site/error-page.tsx'
import { NotFoundOrOwn } from '#web/features/site/not-found-or-own.tsx'
import { Comments } from '#web/features/social/comments/comments.tsx'
import { useRefetchAsMember } from '#web/lib/as-member.ts'
import { load } from '#web/lib/load.ts'
import { Breadcrumb } from '#web/ui/navigation/breadcrumb.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Page } from '#web/ui/page.tsx'

// Few documents have no pages.
const NoPreview = lazyPart(async () => (await import('#web/features/documents/page/no-preview.tsx')).NoPreview)

// Loaded by the server with the first page: the browser needs this code only for the next one.
const page = load(async (args) => (await import('#web/features/documents/page/load-document.ts')).loadDocument(args))
export const loader = page.server
export const clientLoader = page.client
export const handle = { queryKeys: ['page', 'find', 'view'] }

export default function DocumentPage({ loaderData }: Route.ComponentProps) {
  const { document, plan, ads, related, latest, start, find, view, renderedAnonymously } = loaderData
  const { revalidate } = useRevalidator()
  const refresh = useCallback(() => void revalidate(), [revalidate])
  useRefetchAsMember({
    renderedAnonymously,
    ownerId: document.user_id,
    countView: () => void countView(document.id),
  })
  const inlineAds = useInlineAds(ads)
  const isGrowing = isConverting(document) && document.pages === 0
  return (
    <Page className="in-data-[reader-wide=true]:[--container-page:100%] in-data-[reader-wide=true]:lg:px-17">
      <div className="print:hidden">
        <AdSlot position="document_top" ads={ads} />
        <Breadcrumb
          crumbs={[
            { title: '首页', to: '/' },
            { title: '全部分类', to: '/category' },
            ...document.category.map(({ id, title }) => ({
              title,
              to: categoryPath({ id, type: ContentType.Document }),
            })),
            { title: '阅读' },
          ]}
        />
      </div>
      <div className="mt-5 grid gap-8 lg:grid-cols-[minmax(0,1fr)_17rem] lg:gap-6 xl:grid-cols-[minmax(0,1fr)_18rem] in-data-reader-docked:lg:block in-data-[reader-wide=true]:lg:block">
        <article className="min-w-0">
          <DocumentHead document={document} actions={<DocumentActions document={document} onChanged={refresh} />} />
          <div className="mt-4 empty:hidden print:hidden">
            <StatusBar document={document} shownPages={isGrowing ? plan.preview : 0} onChanged={refresh} />
          </div>
          <div className="mt-4">
            {plan.preview > 0 ? (
              <Reader
                key={document.uuid}
                document={document}
                plan={plan}
                start={start}
                find={find}
                views={plan.views}
                requestedView={view}
                ads={inlineAds}
                isGrowing={isGrowing}
                refresh={refresh}
              >
                {(view) => (
                  <EndBlock
                    document={document}
                    pages={plan.pages}
                    preview={plan.preview}
                    isAtEnd={view !== 'table'}
                    related={related}
                    onChanged={refresh}
                  />
                )}
              </Reader>
            ) : (
              <Suspense fallback={<div className="h-80 rounded-lg border border-line bg-surface" />}>
                <NoPreview document={document} />
              </Suspense>
            )}
          </div>
          <div className="print:hidden">
            <AdSlot position="document_bottom" ads={ads} />
            <DocumentText document={document} />
            <div className="mt-10">
              <Comments type={ContentType.Document} id={document.id} />
            </div>
          </div>
        </article>
        <aside
          aria-label="作者与相关文档"
          className="space-y-6 transition-[opacity,visibility] duration-300 in-data-reader-docked:lg:hidden in-data-reader-past-first:lg:invisible in-data-reader-past-first:lg:opacity-0 in-data-[reader-wide=true]:lg:hidden print:hidden"
        >
          {document.user && <DocumentAuthor author={document.user} latest={latest} />}
          <RelatedList documents={related} />
        </aside>
      </div>
    </Page>
  )
}

export function meta({ matches, loaderData, error }: Route.MetaArgs) {
  const site = matches[0].loaderData
  if (!loaderData) return pageMeta(site, error ? { title: describeError(error).message } : {})
  return documentMeta(loaderData.document, site)
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <NotFoundOrOwn error={error} />
}

async function countView(id: number): Promise<void> {
  const module = await import('#web/features/documents/page/count-view.ts').catch(() => undefined)
  await module?.countView(id)
}
