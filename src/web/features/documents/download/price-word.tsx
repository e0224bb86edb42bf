import { type ReactNode, Suspense } from 'react'
import type { ListedDocument } from '#web/features/documents/download/member-words.tsx'
import { usePriceText } from '#web/domain/prices.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const MemberPrice = lazyPart<{ document: ListedDocument; fallback: ReactNode }>(
  async () => (await import('#web/features/documents/download/member-words.tsx')).MemberPrice,
  ({ fallback }) => fallback,
)

/** The price; for members, whether they have paid it already. */
export function PriceWord({ document }: { document: ListedDocument }) {
  const price = usePriceText()(document.price)
  if (!isSignedIn(useSession()) || document.price === 0) return price
  return (
    <Suspense fallback={price}>
      <MemberPrice document={document} fallback={price} />
    </Suspense>
  )
}
