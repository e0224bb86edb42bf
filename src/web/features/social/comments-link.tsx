import { MessageSquare } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { cx } from '#web/ui/class-names.ts'

/** Jumps to the comments of this page. */
export function CommentsLink({ count, children }: { count?: number; children?: ReactNode }) {
  const label = count ? `${count} 条评论` : '评论'
  return (
    <a
      href="#comments"
      onClick={jump}
      aria-label={label}
      title={label}
      className={cx(
        'inline-flex shrink-0 items-center justify-center gap-2 rounded-md text-sm font-medium text-muted hover:bg-sunken hover:text-ink',
        children ? 'h-8 px-3' : 'size-10',
      )}
    >
      <MessageSquare size={children ? 15 : 18} aria-hidden />
      {children}
    </a>
  )
}

/** Without a step in the history, and with the focus. */
function jump(event: MouseEvent): void {
  const section = document.getElementById('comments')
  if (!section) return
  event.preventDefault()
  section.scrollIntoView()
  section.focus({ preventScroll: true })
}
