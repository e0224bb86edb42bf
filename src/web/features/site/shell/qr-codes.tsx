import { QrCode as QrCodeIcon } from 'lucide-react'
import { itemClass } from '#web/features/site/shell/right-bar.tsx'
import { HoverCard, OpenButton } from '#web/ui/overlay/hover-card.tsx'

interface QrCode {
  picture: string
  tip: string
}

/** Opens the codes beside the right bar. */
export function QrCard({ codes }: { codes: QrCode[] }) {
  return (
    <HoverCard
      position="right-full bottom-0 pr-2"
      className="flex w-max gap-6 p-4 text-center text-sm text-muted"
      trigger={
        <OpenButton aria-label={codes.map(({ tip }) => tip).join('、')} className={itemClass}>
          <QrCodeIcon size={18} aria-hidden />
        </OpenButton>
      }
    >
      <QrFigures codes={codes} />
    </HoverCard>
  )
}

export function QrFigures({ codes }: { codes: QrCode[] }) {
  return codes.map(({ picture, tip }) => (
    <figure key={picture} className="w-40">
      {/* On white in the dark theme too: scanners need the contrast. */}
      <img src={picture} alt="" width={160} height={160} loading="lazy" className="size-40 bg-[#fff] object-contain" />
      <figcaption className="mt-2">{tip}</figcaption>
    </figure>
  ))
}
