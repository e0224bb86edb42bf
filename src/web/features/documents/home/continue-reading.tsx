import { Suspense } from 'react'
import { Heading } from '#web/features/documents/home/section.tsx'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { cx } from '#web/ui/class-names.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const ContinueList = lazyPart(async () => (await import('#web/features/documents/home/continue-list.tsx')).ContinueList)

/** For members: what they are reading. It has its height before hydration, by `data-member` of first-paint.ts. */
export function ContinueReading({ className }: { className: string }) {
  const isMember = isSignedIn(useSession())
  return (
    <section aria-label="继续阅读" className={cx(className, !isMember && 'hidden in-[[data-member]]:block')}>
      <Heading title="继续阅读" more="/me/history" />
      <div className="mt-4 h-28">
        {isMember && (
          <Suspense>
            <ContinueList />
          </Suspense>
        )}
      </div>
    </section>
  )
}
