import { lazy, Suspense } from 'react'
import { adHeight, adDocument } from '#web/domain/ad-frame.ts'
import { useSession } from '#web/lib/session.ts'
import type { Ad } from '#web/domain/site.ts'

interface AdSlotProps {
  position: string
  ads: Ad[]
  /** The height that an advertisement with scripts has reported. */
  onHeight?: (height: number) => void
}

const ScriptAd = lazy(async () => ({ default: (await import('#web/features/ads/script-ad.tsx')).ScriptAd }))

/** The advertisements of a position. The owner's HTML runs in a sandboxed frame; VIP members see no ads. */
export function AdSlot({ position, ads, onHeight }: AdSlotProps) {
  const { user } = useSession()
  const shown = ads.filter((ad) => ad.position === position)
  if (user.is_vip || shown.length === 0) return null
  return (
    <div data-ad className="py-2">
      {shown.map((ad) =>
        ad.allow_scripts ? (
          <Suspense key={ad.id} fallback={<div style={{ height: adHeight(ad.content) }} />}>
            <ScriptAd ad={ad} onHeight={onHeight} />
          </Suspense>
        ) : (
          <iframe
            key={ad.id}
            title="广告"
            loading="lazy"
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            referrerPolicy="no-referrer"
            srcDoc={adDocument(ad.content)}
            height={adHeight(ad.content)}
            className="block w-full rounded-lg border-0"
          />
        ),
      )}
    </div>
  )
}
