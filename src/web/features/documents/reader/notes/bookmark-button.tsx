import { Bookmark } from 'lucide-react'
import { useMarks } from '#web/features/documents/reader/notes/marks.ts'
import { useBookmarkToggle } from '#web/features/documents/reader/notes/use-bookmark-toggle.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

interface BookmarkButtonProps {
  id: number
  page: number
  withWords?: boolean
}

/** The bookmark of the page that is read. */
export function BookmarkButton({ id, page, withWords = false }: BookmarkButtonProps) {
  const hasBookmark = useMarks(id).bookmarks.some((bookmark) => bookmark.page === page)
  const toggle = useBookmarkToggle(id)
  const mark = (
    <Bookmark
      size={withWords ? 16 : 18}
      className={hasBookmark ? 'text-accent' : ''}
      fill={hasBookmark ? 'currentColor' : 'none'}
      aria-hidden
    />
  )
  const state = { 'aria-pressed': hasBookmark, onClick: () => void toggle(page) }
  return withWords ? (
    <Button size="sm" {...state}>
      {mark}
      {hasBookmark ? '取消书签' : '书签'}
    </Button>
  ) : (
    <IconButton label={hasBookmark ? '取消这一页的书签' : '给这一页加书签'} {...state}>
      {mark}
    </IconButton>
  )
}
