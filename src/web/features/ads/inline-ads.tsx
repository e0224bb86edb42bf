import { useMemo, useState, type ReactNode } from 'react'
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
  const [reported, setReported] = useState<ReadonlyMap<number, number>>(new Map())
  const shown = useMemo(() => {
    const inline = is_vip ? [] : ads.filter(({ position }) => position === inlinePosition)
    return inline.map((ad) => {
      const onHeight = (height: number) => setReported((heights) => new Map(heights).set(ad.id, height))
      return { ad, content: <AdSlot position={inlinePosition} ads={[ad]} onHeight={onHeight} /> }
    })
  }, [ads, is_vip])
  return useMemo(
    () =>
      shown.map(({ ad, content }) => ({
        height: (reported.get(ad.id) ?? adHeight(ad.content)) + slotPadding,
        content,
      })),
    [shown, reported],
  )
}

const inlinePosition = 'document_between'
const slotPadding = 16
