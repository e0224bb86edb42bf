import {
  BadgeCheck,
  Crown,
  FileX,
  FolderPlus,
  Flag,
  Gavel,
  LibraryBig,
  MessageCircle,
  MessageCircleReply,
  MessageSquareWarning,
  ReceiptText,
  ShoppingBag,
  UserRoundCheck,
  type LucideIcon,
} from 'lucide-react'
import type { Notification } from '#shared/contract/notifications.ts'
import { NotificationKind } from '#shared/notification-kinds.ts'
import { formatRelative, formatTime } from '#shared/format.ts'
import { cx } from '#web/ui/class-names.ts'
import { SmartLink } from '#web/ui/navigation/smart-link.tsx'

/** What happened, and when. It leads to what it is about, if that can still be seen. */
export function NotificationEntry({
  notification,
  now,
  onOpen,
}: {
  notification: Notification
  now: number
  onOpen: () => void
}) {
  const { kind, title, excerpt, href, is_read, is_gone, created_at } = notification
  const Icon = icons[kind]
  return (
    <div className="flex gap-3">
      <span
        className={cx(
          'flex size-8 shrink-0 items-center justify-center rounded-full',
          is_read ? 'bg-sunken text-muted' : 'bg-accent-soft text-accent',
        )}
      >
        <Icon size={16} aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <SmartLink
          href={href}
          onClick={onOpen}
          className={cx(
            'block text-sm wrap-anywhere [&[href]]:hover:text-accent',
            !is_read && 'font-medium',
            (is_read || is_gone) && 'text-muted',
          )}
        >
          {!is_read && <span className="sr-only">未读：</span>}
          {title}
        </SmartLink>
        {excerpt && <p className="mt-0.5 line-clamp-2 text-sm wrap-anywhere text-muted">{excerpt}</p>}
        <time
          dateTime={new Date(created_at).toISOString()}
          title={formatTime(created_at)}
          className="mt-0.5 block text-xs text-muted"
        >
          {formatRelative(created_at, now)}
        </time>
      </div>
    </div>
  )
}

const icons: Record<NotificationKind, LucideIcon> = {
  [NotificationKind.Reply]: MessageCircleReply,
  [NotificationKind.Comment]: MessageCircle,
  [NotificationKind.DocumentReview]: BadgeCheck,
  [NotificationKind.ArticleReview]: BadgeCheck,
  [NotificationKind.CommentReview]: BadgeCheck,
  [NotificationKind.Sale]: ShoppingBag,
  [NotificationKind.VipEnding]: Crown,
  [NotificationKind.ReportDecision]: Flag,
  [NotificationKind.ConversionFailure]: FileX,
  [NotificationKind.Order]: ReceiptText,
  [NotificationKind.Punishment]: Gavel,
  [NotificationKind.NewByAuthor]: UserRoundCheck,
  [NotificationKind.NewInCategory]: FolderPlus,
  [NotificationKind.NewInCollection]: LibraryBig,
  [NotificationKind.CollectionReview]: BadgeCheck,
  [NotificationKind.Outlay]: ReceiptText,
  [NotificationKind.Answer]: MessageSquareWarning,
}
