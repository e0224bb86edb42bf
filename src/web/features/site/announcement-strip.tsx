import { Megaphone, X } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { announcements } from '#shared/contract/announcements.ts'
import { announcementPath } from '#web/domain/paths.ts'
import { api } from '#web/lib/api.ts'
import { local } from '#web/lib/browser/storage.ts'
import { useSession } from '#web/lib/session.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { cx } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { frame } from '#web/ui/page.tsx'

/** The newest announcement for this viewer that has not been dismissed in this browser. */
export function AnnouncementStrip() {
  const { user } = useSession()
  const { pathname } = useLocation()
  const { data } = useQuery(user.id, () => api(announcements.current))
  const [dismissedIds, setDismissedIds] = useState(readDismissed)
  const shown = data?.announcement.filter(({ id }) => !dismissedIds.includes(id)) ?? []
  const [first] = shown
  if (!first || /^\/announcement(\/|$)/.test(pathname)) return null
  const dismiss = () => {
    const ids = [...dismissedIds, first.id].slice(-maxDismissed)
    local.write(storageKey, JSON.stringify(ids))
    setDismissedIds(ids)
  }
  return (
    <section aria-label="公告" className="border-b border-line bg-accent-soft text-sm">
      <div className={cx(frame, 'flex min-h-11 items-center gap-2.5')}>
        <Megaphone size={16} aria-hidden className="shrink-0 text-accent" />
        <p className="line-clamp-2 min-w-0 flex-1 py-1.5">
          <Link to={announcementPath(first)} className="font-medium hover:text-accent hover:underline">
            {first.title}
          </Link>
        </p>
        {shown.length > 1 && (
          <Link to="/announcement" className="shrink-0 py-2 text-muted hover:text-accent">
            共 {shown.length} 条
          </Link>
        )}
        <div className="-mr-2">
          <IconButton label="关闭这条公告" onClick={dismiss}>
            <X size={18} aria-hidden />
          </IconButton>
        </div>
      </div>
    </section>
  )
}

const storageKey = 'wendou-announcements'
const maxDismissed = 100

function readDismissed(): number[] {
  try {
    const ids: unknown = JSON.parse(local.read(storageKey) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : []
  } catch {
    return []
  }
}
