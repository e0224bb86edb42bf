import { Link2, QrCode } from 'lucide-react'
import { Suspense, type ReactNode } from 'react'
import { networks } from '#web/features/social/share/networks.ts'
import { copyText } from '#web/lib/browser/copy-text.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { HoverCard, OpenButton } from '#web/ui/overlay/hover-card.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const Code = lazyPart(async () => (await import('#web/ui/qr-code.tsx')).QrCode)

/** Share links: a QR code for WeChat, other networks, and the address to copy. */
export function ShareBox({ path, title }: { path: string; title: string }) {
  const isHydrated = useHydrated()
  const address = isHydrated ? new URL(path, location.origin).href : path
  const copy = async () => {
    const isCopied = await copyText(address)
    toast(isCopied ? '链接已复制' : '没有复制成功，请从地址栏复制', isCopied ? 'success' : 'danger')
  }
  return (
    <section aria-label="分享" className="flex flex-wrap items-center gap-1 text-sm text-muted">
      <span className="mr-1">分享到</span>
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
      {networks.map(({ name, to }) => (
        <ExternalLink key={name} to={to(address, title)}>
          {name}
        </ExternalLink>
      ))}
      <button type="button" onClick={() => void copy()} className={itemClass}>
        <Link2 size={16} aria-hidden />
        复制链接
      </button>
    </section>
  )
}

const itemClass =
  'inline-flex h-9 items-center gap-1.5 rounded-md px-2.5 whitespace-nowrap transition-colors hover:bg-sunken hover:text-ink'

function ExternalLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener noreferrer nofollow" className={itemClass}>
      {children}
    </a>
  )
}
