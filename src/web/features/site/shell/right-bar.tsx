import { ArrowUp, Headset, PenLine, QrCode, Upload } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useMatch } from 'react-router'
import { useSite } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'
import { HoverCard, OpenButton } from '#web/ui/overlay/hover-card.tsx'
import { SmartLink } from '#web/ui/navigation/smart-link.tsx'
import { Tooltip } from '#web/ui/overlay/tooltip.tsx'

/** Shortcuts at the right edge. Small screens have only the button to the top; their drawer has the others. */
export function RightBar() {
  const { display, miniprogram } = useSite().settings
  const { contact_link, contact_tip } = display
  const codes = [
    { picture: display.wechat_qrcode, tip: display.wechat_tip || '公众号二维码' },
    { picture: miniprogram.qrcode, tip: miniprogram.tip || '小程序码' },
  ].filter(({ picture }) => picture !== '')
  // On small screens the editor's toolbar is there.
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
        {codes.length > 0 && <QrCard codes={codes} />}
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

function QrCard({ codes }: { codes: { picture: string; tip: string }[] }) {
  return (
    <HoverCard
      position="right-full bottom-0 pr-2"
      className="flex w-max gap-6 p-4 text-center text-sm text-muted"
      trigger={
        <OpenButton aria-label={codes.map(({ tip }) => tip).join('、')} className={itemClass}>
          <QrCode size={18} aria-hidden />
        </OpenButton>
      }
    >
      {codes.map(({ picture, tip }) => (
        <figure key={picture} className="w-40">
          {/* On white in the dark theme too: scanners need the contrast. */}
          <img
            src={picture}
            alt=""
            width={160}
            height={160}
            loading="lazy"
            className="size-40 bg-[#fff] object-contain"
          />
          <figcaption className="mt-2">{tip}</figcaption>
        </figure>
      ))}
    </HoverCard>
  )
}

function BackToTop() {
  const [isVisible, setIsVisible] = useState(false)
  useEffect(() => {
    const update = () => setIsVisible(window.scrollY > 600)
    update()
    window.addEventListener('scroll', update, { passive: true })
    return () => window.removeEventListener('scroll', update)
  }, [])
  return (
    <button
      type="button"
      aria-label="回到顶部"
      title="回到顶部"
      hidden={!isVisible}
      onClick={() => window.scrollTo({ top: 0, behavior: 'smooth' })}
      className={cx(itemClass, isVisible && 'border border-line bg-surface', 'self-end')}
    >
      <ArrowUp size={18} aria-hidden />
    </button>
  )
}

const itemClass =
  'flex size-10 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-accent'
