import {
  BadgeCheck,
  Bookmark,
  CalendarCheck,
  CircleX,
  Download,
  Flag,
  MessageCircle,
  MessageCircleReply,
  Newspaper,
  Sparkles,
  Trash2,
  Upload,
  UserPen,
  type LucideIcon,
} from 'lucide-react'
import type { Activity } from '#shared/contract/activities.ts'
import { ActivityType } from '#shared/enums.ts'
import { formatRelative, formatTime } from '#shared/format.ts'
import { Amount } from '#web/features/users/account/amount.tsx'
import { SmartLink } from '#web/ui/navigation/smart-link.tsx'

/** The member's activities, the latest first. */
export function ActivityTimeline({ activities, now, credit }: { activities: Activity[]; now: number; credit: string }) {
  return (
    <ol>
      {activities.map((activity) => (
        <Entry key={activity.id} activity={activity} now={now} credit={credit} />
      ))}
    </ol>
  )
}

function Entry({ activity, now, credit }: { activity: Activity; now: number; credit: string }) {
  const { type, action, subject, href, amount, created_at } = activity
  const Icon = icons[type]
  return (
    <li className="group relative flex gap-3 pb-5 last:pb-0">
      <span aria-hidden className="absolute top-8 bottom-0 left-4 w-px bg-line group-last:hidden" />
      <span className="flex size-8 shrink-0 items-center justify-center rounded-full bg-sunken text-muted">
        <Icon size={16} aria-hidden />
      </span>
      <div className="min-w-0 flex-1 pt-1">
        <p className="line-clamp-3">
          {action}
          {subject && (
            <SmartLink href={href} className="font-medium [&[href]]:hover:text-accent">
              {`“${subject}”`}
            </SmartLink>
          )}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted">
          {created_at !== null && (
            <time dateTime={new Date(created_at).toISOString()} title={formatTime(created_at)}>
              {formatRelative(created_at, now)}
            </time>
          )}
          {amount !== 0 && <Amount amount={amount} unit={credit} />}
        </p>
      </div>
    </li>
  )
}

const icons: Record<ActivityType, LucideIcon> = {
  [ActivityType.Comment]: MessageCircle,
  [ActivityType.Favorite]: Bookmark,
  [ActivityType.Upload]: Upload,
  [ActivityType.Download]: Download,
  [ActivityType.Register]: Sparkles,
  [ActivityType.Rename]: UserPen,
  [ActivityType.CheckIn]: CalendarCheck,
  [ActivityType.DeleteDocument]: Trash2,
  [ActivityType.PublishArticle]: Newspaper,
  [ActivityType.Report]: Flag,
  [ActivityType.Favorited]: Bookmark,
  [ActivityType.Commented]: MessageCircle,
  [ActivityType.ArticleApproved]: BadgeCheck,
  [ActivityType.ArticleRejected]: CircleX,
  [ActivityType.Replied]: MessageCircleReply,
  [ActivityType.ReportHandled]: Flag,
}
