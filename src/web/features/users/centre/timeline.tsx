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
  type LucideIcon,
} from 'lucide-react'
import type { Dynamic } from '#shared/contract/credits.ts'
import type { ActivityType } from '#shared/enums.ts'
import { formatRelative, formatTime } from '#shared/format.ts'
import { Amount } from '#web/features/users/centre/amount.tsx'
import { SmartLink } from '#web/ui/smart-link.tsx'

/** What a member has done, and what came of it, the latest first. */
export function Timeline({ dynamics, now, credit }: { dynamics: Dynamic[]; now: number; credit: string }) {
  return (
    <ol>
      {dynamics.map((dynamic) => (
        <Done key={dynamic.id} dynamic={dynamic} now={now} credit={credit} />
      ))}
    </ol>
  )
}

function Done({ dynamic, now, credit }: { dynamic: Dynamic; now: number; credit: string }) {
  const { type, action, subject, href, amount, created_at } = dynamic
  const Icon = icons[type as ActivityType] ?? Sparkles
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
  1: MessageCircle,
  2: Bookmark,
  3: Upload,
  4: Download,
  6: Sparkles,
  11: CalendarCheck,
  14: Trash2,
  15: Newspaper,
  16: Flag,
  17: Bookmark,
  18: MessageCircle,
  19: BadgeCheck,
  20: CircleX,
  21: MessageCircleReply,
}
