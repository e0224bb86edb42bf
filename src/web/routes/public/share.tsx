import { Suspense, useCallback } from 'react'
import { useRevalidator } from 'react-router'
import type { Route } from './+types/share.ts'
import { isConverting } from '#shared/document-status.ts'
import { ContentType } from '#shared/enums.ts'
import { pageMeta } from '#web/domain/seo.ts'
import type { InlineAd } from '#web/features/ads/inline-ads.tsx'
import { DocumentHead } from '#web/features/documents/page/document-head.tsx'
import { EndBlock } from '#web/features/documents/page/end-block.tsx'
import { StatusBar } from '#web/features/documents/page/status-bar.tsx'
import { Reader } from '#web/features/documents/reader/reader.tsx'
import { loadShare } from '#web/features/documents/visibility/load-share.ts'
import { Comments } from '#web/features/social/comments/comments.tsx'
import { ErrorPage } from '#web/features/site/error-page.tsx'
import { load } from '#web/lib/load.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Page } from '#web/ui/page.tsx'

// Most links have no password, and most documents have pages.
const SharePassword = lazyPart(
  async () => (await import('#web/features/documents/visibility/share-password.tsx')).SharePassword,
)
const NoPreview = lazyPart(async () => (await import('#web/features/documents/page/no-preview.tsx')).NoPreview)

// Never on the server: what it renders is for everyone.
export const clientLoader = load(loadShare).client
export const handle = { queryKeys: ['page', 'find', 'view'] }

export default function SharePage({ loaderData: { token, shared } }: Route.ComponentProps) {
  const { revalidate } = useRevalidator()
  const refresh = useCallback(() => void revalidate(), [revalidate])
  return (
    <Page>
      <Suspense fallback={<SkeletonRows count={4} />}>
        {shared ? <Shared {...shared} refresh={refresh} /> : <SharePassword token={token} onOpened={refresh} />}
      </Suspense>
    </Page>
  )
}

const noAds: readonly InlineAd[] = []

type Shared = NonNullable<Route.ComponentProps['loaderData']['shared']>

/** The document and its comments: what leads from its own page to others is for those who find it there. */
function Shared({ document, plan, start, find, view, refresh }: Shared & { refresh: () => void }) {
  const isGrowing = isConverting(document) && document.pages === 0
  return (
    <article className="mx-auto max-w-5xl min-w-0">
      <DocumentHead document={document} actions={null} />
      <div className="mt-4 empty:hidden">
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
            ads={noAds}
            isGrowing={isGrowing}
            refresh={refresh}
          >
            {(view) => (
              <EndBlock
                document={document}
                pages={plan.pages}
                preview={plan.preview}
                isAtEnd={view !== 'table'}
                onChanged={refresh}
              />
            )}
          </Reader>
        ) : (
          <NoPreview document={document} />
        )}
      </div>
      <div className="mt-10 print:hidden">
        <Comments type={ContentType.Document} id={document.id} />
      </div>
    </article>
  )
}

export function HydrateFallback() {
  return (
    <Page>
      <SkeletonRows count={8} />
    </Page>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: loaderData?.shared?.document.title ?? '分享的文档', isHidden: true })
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />
}
