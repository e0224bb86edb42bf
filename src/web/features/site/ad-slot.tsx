import { adHeight } from '#web/features/site/ad-height.ts'
import { useSession } from '#web/lib/session.ts'
import type { Ad } from '#web/lib/site.ts'

/** Advertisements of one place. What the owner pasted runs in a frame of its own that can reach nothing of ours; VIP members see none. */
export function AdSlot({ position, ads }: { position: string; ads: Ad[] }) {
  const { user } = useSession()
  const shown = ads.filter((ad) => ad.position === position)
  if (user.is_vip || shown.length === 0) return null
  return (
    <aside data-ad aria-label="广告" className="py-2">
      {shown.map(({ id, content }) => (
        <iframe
          key={id}
          title="广告"
          loading="lazy"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          srcDoc={framed(content)}
          height={adHeight(content)}
          className="block w-full border-0"
        />
      ))}
    </aside>
  )
}

function framed(content: string): string {
  return `<!doctype html><base target="_blank"><style>html,body{margin:0;height:100%;overflow:hidden;font:14px/1.5 sans-serif}body{display:grid;place-items:center}img{display:block;max-width:100%;max-height:100%}</style>${content}`
}
