import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { RetriedImage } from '#web/ui/retried-image.tsx'
import { thumbnailGrid } from '#web/features/documents/reader/panel/thumbnail-grid.ts'

interface ThumbnailsProps {
  hash: string
  preview: number
  current: number
  ratio: number
  onGo: (page: number) => void
}

/** Small pictures of all pages; only those in view are rendered, however many there are. */
export function Thumbnails({ hash, preview, current, ratio, onGo }: ThumbnailsProps) {
  const list = useRef<HTMLOListElement>(null)
  const [area, setArea] = useState({ width: 0, top: 0, height: 0 })
  const update = useCallback(() => {
    const box = list.current?.parentElement
    if (box) setArea({ width: list.current?.clientWidth ?? 0, top: box.scrollTop, height: box.clientHeight })
  }, [])
  useLayoutEffect(update, [update])
  useEffect(() => {
    const box = list.current?.parentElement
    if (!box) return undefined
    const observer = new ResizeObserver(update)
    observer.observe(box)
    box.addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', update)
    }
  }, [update])
  const grid = thumbnailGrid({ ...area, count: preview, ratio })
  // The current page comes into view when the list opens, and when it changes.
  const { top: currentTop } = grid.place(current)
  const { rowHeight } = grid
  useLayoutEffect(() => {
    const box = list.current?.parentElement
    if (!box || rowHeight <= 0) return
    const isVisible = currentTop >= box.scrollTop && currentTop + rowHeight <= box.scrollTop + box.clientHeight
    if (!isVisible) box.scrollTo({ top: currentTop - (box.clientHeight - rowHeight) / 2 })
  }, [currentTop, rowHeight])
  return (
    <ol ref={list} style={{ height: grid.height }} className="relative">
      {grid.visible.map((page) => (
        <li
          key={page}
          aria-setsize={preview}
          aria-posinset={page}
          style={{ ...grid.place(page), width: grid.itemWidth }}
          className="absolute"
        >
          <button
            type="button"
            aria-label={`第 ${page} 页`}
            aria-current={page === current ? 'page' : undefined}
            onClick={() => onGo(page)}
            className="group block w-full rounded-sm text-center text-xs text-muted tabular-nums"
          >
            <RetriedImage
              src={`/view/thumb/${hash}/${page}.webp`}
              alt=""
              decoding="async"
              style={{ height: grid.pictureHeight }}
              className="w-full rounded-sm border border-line bg-[#fff] object-contain group-hover:border-edge group-aria-[current]:border-accent group-aria-[current]:outline-1 group-aria-[current]:outline-accent"
            />
            <span className="mt-1 block group-aria-[current]:font-medium group-aria-[current]:text-accent">{page}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}
