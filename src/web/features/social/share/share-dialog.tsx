import { Code, Copy, Image, Link2, Share2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { documentPath } from '#web/domain/paths.ts'
import { useSite } from '#web/domain/site.ts'
import { embedCode, networks } from '#web/features/social/share/networks.ts'
import { drawCard } from '#web/features/social/share/picture-card.ts'
import type { Shareable } from '#web/features/social/share/share-button.tsx'
import { copyLink, hasSheet, openSheet } from '#web/features/social/share/phone-sheet.ts'
import { copyText } from '#web/lib/browser/copy-text.ts'
import { phoneQuery, useMediaQuery } from '#web/lib/browser/media-query.ts'
import { saveFile } from '#web/lib/browser/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'

interface ShareDialogProps {
  document: Shareable
  /** Where the reader was when the dialog opened. */
  page: number
  open: boolean
  onOpenChange: (open: boolean) => void
}

/**
 * A document's address for others: as a link, a QR code, a picture, by a network, or as a frame for another site. On a
 * phone its own sheet comes first and the code last: visitors do not scan the screen that they hold.
 */
export function ShareDialog({ document, page, open, onOpenChange }: ShareDialogProps) {
  const { title, cover, isPublic } = document
  const { settings } = useSite()
  const [isThisPage, setIsThisPage] = useState(false)
  const [isDrawing, setIsDrawing] = useState(false)
  const path = documentPath(document) + (isThisPage && page > 1 ? `?page=${page}` : '')
  const address = new URL(path, location.origin).href
  const picture = cover === '' ? undefined : new URL(cover, location.origin).href
  const startsWithSheet = useMediaQuery(phoneQuery) && hasSheet()
  const share = () => void openSheet({ title, address })
  const copyEmbedCode = async () => {
    const isCopied = await copyText(embedCode(location.origin, document.uuid, title))
    toast(isCopied ? '嵌入代码已复制' : '没有复制成功，请手动选择复制', isCopied ? 'success' : 'danger')
  }
  const savePicture = async () => {
    setIsDrawing(true)
    try {
      const card = await drawCard({ title, cover, address, sitename: settings.system.sitename || '文豆' })
      saveFile({ name: `${title}.png`, type: card.type, body: card })
    } catch {
      toast('图片没有生成，请稍后重试', 'danger')
    } finally {
      setIsDrawing(false)
    }
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="分享文档">
      <div className="mt-4 grid gap-5 md:grid-cols-[9rem_minmax(0,1fr)]">
        <figure className="mx-auto w-36 text-center text-xs text-muted max-md:order-last">
          <QrCode content={address} />
          <figcaption className="mt-1.5">
            <span className="max-md:hidden">微信扫一扫，转给朋友</span>
            <span className="md:hidden">让身边的人扫一扫</span>
          </figcaption>
        </figure>
        <div className="min-w-0 space-y-4">
          {startsWithSheet && (
            <Button variant="primary" wide onClick={share}>
              <Share2 size={17} aria-hidden />
              发给朋友
            </Button>
          )}
          <div>
            <label className="text-sm text-muted">
              链接
              <input
                readOnly
                value={address}
                onFocus={(event) => event.target.select()}
                className="mt-1 h-9 w-full rounded-md border border-line bg-canvas px-2.5 text-sm text-ink"
              />
            </label>
            {page > 1 && (
              <label className="mt-2 flex items-center gap-2 text-sm">
                <input
                  type="checkbox"
                  checked={isThisPage}
                  onChange={(event) => setIsThisPage(event.target.checked)}
                  className="accent-accent"
                />
                打开就到第 {page} 页
              </label>
            )}
          </div>
          <div className="flex flex-wrap gap-2">
            <Button size="sm" variant={startsWithSheet ? 'plain' : 'primary'} onClick={() => void copyLink(address)}>
              <Link2 size={15} aria-hidden />
              复制链接
            </Button>
            {hasSheet() && !startsWithSheet && (
              <Button size="sm" onClick={share}>
                <Share2 size={15} aria-hidden />
                更多方式
              </Button>
            )}
            <Button size="sm" busy={isDrawing} onClick={() => void savePicture()}>
              {!isDrawing && <Image size={15} aria-hidden />}
              保存图片
            </Button>
          </div>
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
            分享到
            {networks.map(({ name, to }) => (
              <NetworkLink key={name} to={to(address, title, picture)}>
                {name}
              </NetworkLink>
            ))}
          </p>
        </div>
      </div>
      {isPublic && settings.display.enable_embed && (
        <details className="mt-5 border-t border-line pt-4 text-sm">
          <summary className="flex items-center gap-2">
            <Code size={15} aria-hidden />
            嵌入到其他网页
          </summary>
          <textarea
            readOnly
            rows={3}
            aria-label="嵌入代码"
            value={embedCode(location.origin, document.uuid, title)}
            onFocus={(event) => event.target.select()}
            className="mt-3 w-full resize-none rounded-md border border-line bg-canvas p-2.5 font-mono text-xs"
          />
          <Button size="sm" onClick={() => void copyEmbedCode()}>
            <Copy size={15} aria-hidden />
            复制代码
          </Button>
        </details>
      )}
    </Dialog>
  )
}

function NetworkLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener noreferrer nofollow" className="py-1 hover:text-accent">
      {children}
    </a>
  )
}
