import { MessageSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { scrollToAnchor } from '#web/lib/browser/scroll-to-anchor.ts'
import { cx } from '#web/ui/class-names.ts'

/** Scrolls to the comments of this page. */
export function CommentsLink({ count, children }: { count?: number; children?: ReactNode }) {
  const label = count ? `${count} 条评论` : '评论'
  return (
    <a
      href="#comments"
      onClick={scrollToAnchor}
      aria-label={children ? undefined : label}
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
