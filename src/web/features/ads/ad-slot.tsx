import { adHeight, adDocument } from '#web/domain/ad-frame.ts'
import { useSession } from '#web/lib/session.ts'
import type { Ad } from '#web/domain/site.ts'

/** The advertisements of a position. The owner's HTML runs in a sandboxed frame; VIP members see no ads. */
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
          srcDoc={adDocument(content)}
          height={adHeight(content)}
          className="block w-full rounded-lg border-0"
        />
      ))}
    </div>
  )
}
