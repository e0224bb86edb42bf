import { Bookmark } from 'lucide-react'
import { useMarks } from '#web/features/documents/reader/notes/marks.ts'
import { useBookmarkToggle } from '#web/features/documents/reader/notes/use-bookmark-toggle.ts'
import { useKeys } from '#web/features/documents/reader/toolbar/use-keys.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

/** The bookmark of the page that is read. */
export function BookmarkButton({ id, page }: { id: number; page: number }) {
  const hasBookmark = useMarks(id).bookmarks.some((bookmark) => bookmark.page === page)
  const toggle = useBookmarkToggle(id)
  useKeys({ b: () => void toggle(page) })
  return (
    <IconButton label={`第 ${page} 页的书签`} aria-pressed={hasBookmark} onClick={() => void toggle(page)}>
      <Bookmark size={18} fill={hasBookmark ? 'currentColor' : 'none'} aria-hidden />
    </IconButton>
  )
}
