import { ArrowUp, Headset, PenLine, Upload } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { Link, useLocation, useMatch } from 'react-router'
import { useInvitations } from '#web/domain/contributions.ts'
import { useSite, type Site } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { SmartLink } from '#web/ui/navigation/smart-link.tsx'
import { Tooltip } from '#web/ui/overlay/tooltip.tsx'

// Few sites have codes.
const QrCard = lazyPart(async () => (await import('#web/features/site/shell/qr-codes.tsx')).QrCard)

/** Shortcuts at the right edge. Phones have only the button to the top; their drawer has the others. */
export function RightBar() {
  const { settings } = useSite()
  const { contact_link, contact_tip } = settings.display
  const codes = qrCodes(settings)
  const { pathname } = useLocation()
  // Nobody is asked to write over the text that he reads: the user menu has these links too.
  const isReading = /^\/(document|article|share)\/./.test(pathname)
  const invitations = useInvitations()
  const invited = { publish: invitations.publish && !isReading, upload: invitations.upload && !isReading }
  const isEmpty = !invited.publish && !invited.upload && codes.length === 0 && !contact_link
  // On small screens these pages have their own bar there.
  const isWriting = useMatch('/post') !== null
  const hasBottomBar = /^\/(document|share|upload)\b/.test(pathname)
  return (
    <aside
      aria-label="快捷操作"
      className={cx(
        // Invisible until the browser has read it up to its last child, the button: it would grow upwards.
        'fixed right-3 bottom-6 z-30 flex flex-col gap-1.5 not-has-[>button]:invisible print:hidden',
        isWriting && 'max-lg:hidden',
        hasBottomBar && 'max-md:hidden',
      )}
    >
      <div className={cx('hidden flex-col rounded-lg border border-line bg-surface p-0.5', !isEmpty && 'md:flex')}>
        {invited.publish && (
          <Tooltip text="发布文章">
            <Link to="/post" aria-label="发布文章" className={itemClass}>
              <PenLine size={18} aria-hidden />
            </Link>
          </Tooltip>
        )}
        {invited.upload && (
          <Tooltip text="上传文档">
            <Link to="/upload" aria-label="上传文档" className={itemClass}>
              <Upload size={18} aria-hidden />
            </Link>
          </Tooltip>
        )}
        {codes.length > 0 && (
          <Suspense fallback={<span className={itemClass} />}>
            <QrCard codes={codes} />
          </Suspense>
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

/** Above the shortcuts, which stay where they are when it appears. */
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
      className={cx(itemClass, isVisible && 'border border-line bg-surface', 'absolute right-0 bottom-full mb-1.5')}
    >
      <ArrowUp size={18} aria-hidden />
    </button>
  )
}

/** Of the site's other places, to be scanned with a phone. */
export function qrCodes({ display, miniprogram }: Site['settings']) {
  return [
    { picture: display.wechat_qrcode, tip: display.wechat_tip || '公众号二维码' },
    { picture: miniprogram.qrcode, tip: miniprogram.tip || '小程序码' },
  ].filter(({ picture }) => picture !== '')
}

export const itemClass =
  'flex size-10 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-accent'
