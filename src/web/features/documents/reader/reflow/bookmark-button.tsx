import { Bookmark } from 'lucide-react'
import { attempt } from '#web/features/documents/reader/notes/attempt.ts'
import { toggleBookmark, useMarks } from '#web/features/documents/reader/notes/marks.ts'
import { useKeys } from '#web/features/documents/reader/toolbar/use-keys.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** The bookmark of the page that is read. */
export function BookmarkButton({ id, page }: { id: number; page: number }) {
  const isMember = isSignedIn(useSession())
  const hasBookmark = useMarks(id).bookmarks.some((bookmark) => bookmark.page === page)
  const toggle = async () => {
    if (!isMember) return toast('登录后可以加书签')
    await attempt(async () => toast((await toggleBookmark(id, page)) ? `已在第 ${page} 页加书签` : '已取消书签'))
  }
  useKeys({ b: () => void toggle() })
  return (
    <IconButton label={`第 ${page} 页的书签`} aria-pressed={hasBookmark} onClick={() => void toggle()}>
      <Bookmark size={18} fill={hasBookmark ? 'currentColor' : 'none'} aria-hidden />
    </IconButton>
  )
}
