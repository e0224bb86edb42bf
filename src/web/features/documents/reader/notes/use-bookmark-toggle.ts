import { attempt } from '#web/features/documents/reader/notes/attempt.ts'
import { toggleBookmark } from '#web/features/documents/reader/notes/marks.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Sets or removes the bookmark of a page, and says so. */
export function useBookmarkToggle(id: number): (page: number) => Promise<void> {
  const isMember = isSignedIn(useSession())
  return async (page) => {
    if (!isMember) return toast('登录后可以加书签')
    await attempt(async () => toast((await toggleBookmark(id, page)) ? `已在第 ${page} 页加书签` : '已取消书签'))
  }
}
