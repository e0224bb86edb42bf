import { adHeight, framedAd } from '#web/lib/ad-frame.ts'
import { useSession } from '#web/lib/session.ts'
import type { Ad } from '#web/lib/site.ts'

/** Advertisements of one place. What the owner pasted runs in a frame of its own that can reach nothing of ours; VIP members see none. */
export function AdSlot({ position, ads }: { position: string; ads: Ad[] }) {
  const { user } = useSession()
  const shown = ads.filter((ad) => ad.position === position)
  if (user.is_vip || shown.length === 0) return null
  return (
    <div data-ad className="py-2">
      {shown.map(({ id, content }) => (
        <iframe
          key={id}
          title="广告"
          loading="lazy"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          srcDoc={framedAd(content)}
          height={adHeight(content)}
          className="block w-full rounded-lg border-0"
        />
      ))}
    </div>
  )
}
