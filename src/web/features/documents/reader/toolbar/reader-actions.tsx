import { Bookmark } from 'lucide-react'
import { Suspense } from 'react'
import type { Document } from '#shared/contract/documents.ts'
import { ContentType, Visibility } from '#shared/enums.ts'
import { FavoriteButton } from '#web/features/social/favorite-button.tsx'
import { ShareButton } from '#web/features/social/share/share-button.tsx'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

// Bookmarks and notes are no part of the first load.
const BookmarkButton = lazyPart(
  async () => (await import('#web/features/documents/reader/notes/bookmark-button.tsx')).BookmarkButton,
  () => null,
)

export interface ReaderActionsProps {
  document: Pick<Document, 'id' | 'uuid' | 'title' | 'cover' | 'pages' | 'visibility'>
  /** The page that is read; undefined for a table, which has none to mark. */
  page: number | undefined
}

/** The commands that a reader needs while reading, as icons in the bar: he does not scroll up for them. */
export function ReaderActions({ document, page }: ReaderActionsProps) {
  const isHydrated = useHydrated()
  const placeholder = (
    <span aria-hidden className={iconButtonClass}>
      <Bookmark size={18} />
    </span>
  )
  return (
    <>
      <FavoriteButton type={ContentType.Document} id={document.id} variant="icon" />
      {page !== undefined &&
        (isHydrated ? (
          <Suspense fallback={placeholder}>
            <BookmarkButton id={document.id} page={page} />
          </Suspense>
        ) : (
          placeholder
        ))}
      <ShareButton document={shareable(document)} variant="icon" />
    </>
  )
}

/** The same with words, in a menu: on phones the bar has no room for them. */
export function ReaderActionRow({ document, page }: ReaderActionsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <FavoriteButton type={ContentType.Document} id={document.id} size="sm" />
      {page !== undefined && (
        <Suspense>
          <BookmarkButton id={document.id} page={page} withWords />
        </Suspense>
      )}
      <ShareButton document={shareable(document)} variant="plain" />
    </div>
  )
}

function shareable(document: ReaderActionsProps['document']) {
  return { ...document, isPublic: document.visibility === Visibility.Public }
}
