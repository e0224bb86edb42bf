import { useEffect, useEffectEvent, useMemo, useState, type FormEvent } from 'react'
import { createPortal } from 'react-dom'
import type { ModeProps } from '#web/features/documents/reader/modes/mode-overlay.tsx'
import { pagePicture } from '#web/features/documents/reader/pages/addresses.ts'
import { pageSizes } from '#web/features/documents/reader/pages/page-layout.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** More pictures of pages at once would exhaust the memory of many browsers. */
const maxPages = 200

/** Which pages to print: the browser's own command would print those that happen to be rendered. */
export function PrintDialog({ hash, title, sizes, preview, current, onClose }: ModeProps) {
  const [from, setFrom] = useState('1')
  const [to, setTo] = useState(String(Math.min(preview, maxPages)))
  const [range, setRange] = useState<{ first: number; last: number }>()
  const [first, last] = [Number(from), Number(to)]
  const problem =
    !(first >= 1 && first <= last && last <= preview) || !Number.isInteger(first) || !Number.isInteger(last)
      ? `请填 1 到 ${preview} 之间的页码`
      : last - first >= maxPages
        ? `一次最多打印 ${maxPages} 页，请分几次打印`
        : ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!problem) setRange({ first, last })
  }
  return (
    <>
      <Dialog
        open
        onOpenChange={(open) => !open && onClose()}
        title="打印"
        description={`可以打印能预览的 ${preview} 页。每页印在一张纸上，不带网页的其他内容。`}
      >
        <form onSubmit={submit} className="mt-4 text-sm">
          <div className="flex flex-wrap items-center gap-2">
            <PageInput label="从第几页" value={from} onChange={setFrom} />
            <span className="text-muted">到</span>
            <PageInput label="到第几页" value={to} onChange={setTo} />
            <span className="text-muted">页</span>
            <button
              type="button"
              onClick={() => [setFrom, setTo].forEach((set) => set(String(current)))}
              className="h-9 px-2 font-medium text-accent hover:underline"
            >
              只打印当前页
            </button>
          </div>
          <p aria-live="polite" className="mt-2 min-h-5 text-danger">
            {problem}
          </p>
          <div className="mt-4 flex justify-end gap-2">
            <Button onClick={onClose}>取消</Button>
            <Button type="submit" variant="primary" disabled={problem !== '' || range !== undefined}>
              {range ? '正在准备…' : '打印'}
            </Button>
          </div>
        </form>
      </Dialog>
      {range && <PrintedPages hash={hash} title={title} sizes={sizes} preview={preview} {...range} onDone={onClose} />}
    </>
  )
}

function PageInput({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <input
      aria-label={label}
      inputMode="numeric"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value.replace(/\D/g, '').slice(0, 6))}
      className="h-9 w-20 rounded-sm border border-edge bg-canvas text-center text-base text-ink focus:border-accent md:text-sm"
    />
  )
}

interface PrintedPagesProps extends Pick<ModeProps, 'hash' | 'title' | 'sizes' | 'preview'> {
  first: number
  last: number
  onDone: () => void
}

/** The only thing on paper (app.css); printed as soon as all pictures have loaded. */
function PrintedPages({ hash, title, sizes, preview, first, last, onDone }: PrintedPagesProps) {
  const sizeOf = useMemo(() => pageSizes(sizes, preview), [sizes, preview])
  const [loaded, setLoaded] = useState(0)
  const count = last - first + 1
  const print = useEffectEvent(() => {
    window.print()
    onDone()
  })
  useEffect(() => {
    if (loaded === count) print()
  }, [loaded, count])
  const fail = () => {
    toast('有的页没有加载成功，请检查网络后再打印')
    onDone()
  }
  return createPortal(
    <div data-printed>
      {Array.from({ length: count }, (_, index) => first + index).map((page) => (
        <img
          key={page}
          src={pagePicture(hash, page)}
          alt={`${title} 第 ${page} 页`}
          data-landscape={sizeOf(page).width > sizeOf(page).height ? '' : undefined}
          onLoad={() => setLoaded((before) => before + 1)}
          onError={fail}
        />
      ))}
    </div>,
    document.body,
  )
}
