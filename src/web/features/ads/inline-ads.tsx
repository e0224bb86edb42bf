import { useMemo, type ReactNode } from 'react'
import { adHeight } from '#web/domain/ad-frame.ts'
import type { Ad } from '#web/domain/site.ts'
import { AdSlot } from '#web/features/ads/ad-slot.tsx'
import { useSession } from '#web/lib/session.ts'

export interface InlineAd {
  height: number
  content: ReactNode
}

/** The ads between the pages of a document, with their heights: the reader positions everything itself. */
export function useInlineAds(ads: Ad[]): readonly InlineAd[] {
  const { is_vip } = useSession().user
  return useMemo(() => {
    const inline = is_vip ? [] : ads.filter(({ position }) => position === inlinePosition)
    return inline.map((ad) => ({
      height: adHeight(ad.content) + slotPadding,
      content: <AdSlot position={inlinePosition} ads={[ad]} />,
    }))
  }, [ads, is_vip])
}

const inlinePosition = 'document_between'
const slotPadding = 16
