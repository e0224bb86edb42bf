import { describeError, ErrorPage } from '#web/features/site/error-page.tsx'
import { useRetryAsMember } from '#web/lib/as-member.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Page } from '#web/ui/page.tsx'

/** The error page of a document or an article, which may exist for its owner or the staff alone. */
export function NotFoundOrOwn({ error, narrow = false }: { error: unknown; narrow?: boolean }) {
  if (describeError(error).status !== 404) return <ErrorPage error={error} />
  return <NotFound error={error} narrow={narrow} />
}

function NotFound({ error, narrow }: { error: unknown; narrow: boolean }) {
  // Members see a skeleton until the page has been fetched with their session.
  if (useRetryAsMember(error)) {
    return (
      <Page narrow={narrow}>
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
