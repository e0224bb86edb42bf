import { ArrowUp, Headset, PenLine, QrCode, Upload } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { Link, useMatch } from 'react-router'
import { useSite } from '#web/lib/site.ts'
import { cx } from '#web/ui/class-names.ts'
import { HoverCard, OpenButton } from '#web/ui/hover-card.tsx'
import { SmartLink } from '#web/ui/smart-link.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'

/** What one may want from anywhere on a page. Small screens have only the way back up; the rest is in their drawer. */
export function RightBar() {
  const { wechat_qrcode, wechat_tip, contact_link, contact_tip } = useSite().settings.display
  // On small screens the tools of the editor stand there.
  const isWriting = useMatch('/post') !== null
  return (
    <aside
      aria-label="快捷操作"
      className={cx('fixed right-3 bottom-6 z-30 flex flex-col gap-1.5 print:hidden', isWriting && 'max-lg:hidden')}
    >
      <div className="hidden flex-col rounded-lg border border-line bg-surface p-0.5 lg:flex">
        <Tooltip text="发布文章">
          <Link to="/post" aria-label="发布文章" className={itemClass}>
            <PenLine size={18} aria-hidden />
          </Link>
        </Tooltip>
        <Tooltip text="上传文档">
          <Link to="/upload" aria-label="上传文档" className={itemClass}>
            <Upload size={18} aria-hidden />
          </Link>
        </Tooltip>
        {wechat_qrcode && (
          <QrCard tip={wechat_tip}>
            <img src={wechat_qrcode} alt={wechat_tip || '二维码'} width={160} height={160} loading="lazy" />
          </QrCard>
        )}
        {contact_link && (
          <Tooltip text={contact_tip || '联系我们'}>
            <SmartLink href={contact_link} className={itemClass}>
              <Headset size={18} aria-hidden />
              <span className="sr-only">{contact_tip || '联系我们'}</span>
            </SmartLink>
          </Tooltip>
        )}
      </div>
      <BackToTop />
    </aside>
  )
}

function QrCard({ tip, children }: { tip: string; children: ReactNode }) {
  return (
    <HoverCard
      place="right-full bottom-0 pr-2"
      className="w-max p-4 text-center text-sm"
      trigger={
        <OpenButton aria-label={tip || '二维码'} className={itemClass}>
          <QrCode size={18} aria-hidden />
        </OpenButton>
      }
    >
      {children}
      {tip && <p className="mt-2 text-muted">{tip}</p>}
    </HoverCard>
  )
}

function BackToTop() {
  const [far, setFar] = useState(false)
  useEffect(() => {
    const look = () => setFar(window.scrollY > 600)
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  return (
    <button
      type="button"
      aria-label="回到顶部"
      title="回到顶部"
      hidden={!far}
      onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
      className={cx(itemClass, far && 'border border-line bg-surface', 'self-end')}
    >
      <ArrowUp size={18} aria-hidden />
    </button>
  )
}

const itemClass =
  'flex size-10 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-accent'
