import { Link2, QrCode, Share2 } from 'lucide-react'
import { Suspense, type ReactNode } from 'react'
import { networks } from '#web/features/social/share/networks.ts'
import { copyLink, hasSheet, openSheet } from '#web/features/social/share/phone-sheet.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { phoneQuery, useMediaQuery } from '#web/lib/browser/media-query.ts'
import { cx } from '#web/ui/class-names.ts'
import { HoverCard, OpenButton } from '#web/ui/overlay/hover-card.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const Code = lazyPart(async () => (await import('#web/ui/qr-code.tsx')).QrCode)

/**
 * Share links: a QR code for WeChat, other networks, and the address to copy. On a phone its own sheet takes the place of
 * the code: visitors do not scan the screen that they hold.
 */
export function ShareBox({ path, title }: { path: string; title: string }) {
  const isHydrated = useHydrated()
  const address = isHydrated ? new URL(path, location.origin).href : path
  const isPhone = useMediaQuery(phoneQuery)
  return (
    <section aria-label="分享" className="flex flex-wrap items-center gap-1 text-sm text-muted">
      <span className="mr-1 max-md:-order-2">分享到</span>
      {isPhone && hasSheet() && (
        <button type="button" onClick={() => void openSheet({ title, address })} className={phoneFirst}>
          <Share2 size={16} aria-hidden />
          发给朋友
        </button>
      )}
      <div className="max-md:hidden">
        <HoverCard
          position="bottom-full left-0 pb-2"
          className="w-48 p-4 text-center"
          trigger={
            <OpenButton className={itemClass}>
              <QrCode size={16} aria-hidden />
              微信
            </OpenButton>
          }
        >
          <Suspense fallback={<span className="block aspect-square" />}>
            <Code content={address} />
          </Suspense>
          <p className="mt-2">微信扫一扫，转给朋友</p>
        </HoverCard>
      </div>
      {networks.map(({ name, to }) => (
        <ExternalLink key={name} to={to(address, title)}>
          {name}
        </ExternalLink>
      ))}
      <button type="button" onClick={() => void copyLink(address)} className={phoneFirst}>
        <Link2 size={16} aria-hidden />
        复制链接
      </button>
    </section>
  )
}

const itemClass =
  'inline-flex h-9 items-center gap-1.5 rounded-md px-2.5 whitespace-nowrap transition-colors hover:bg-sunken hover:text-ink'
const phoneFirst = cx(itemClass, 'max-md:-order-1')

function ExternalLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener noreferrer nofollow" className={itemClass}>
      {children}
    </a>
  )
}
