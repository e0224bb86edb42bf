import { ChevronRight, Lock } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import {
  buildOutline,
  currentEntry,
  openEntries,
  type OutlineNode,
} from '#web/features/documents/reader/panel/outline-tree.ts'
import { useFollow } from '#web/features/documents/reader/panel/use-follow.ts'
import { cx } from '#web/ui/class-names.ts'

export interface OutlineEntry {
  title: string
  page: number
  level: number
}

interface OutlineProps {
  outline: readonly OutlineEntry[]
  preview: number
  current: number
  onGo: (page: number) => void
  /** An entry beyond the preview was chosen. */
  onLocked: () => void
}

/** All of it, as a tree that folds; entries beyond the preview lead to the download. */
export function Outline({ outline, preview, current, onGo, onLocked }: OutlineProps) {
  const tree = useMemo(() => buildOutline(outline), [outline])
  const active = currentEntry(outline, current)
  /** What the reader has opened or closed; everything else follows the current chapter. */
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map())
  const open = useMemo(() => openEntries(tree, active, outline.length), [tree, active, outline.length])
  const isOpen = (index: number) => chosen.get(index) ?? open.has(index)
  const list = useRef<HTMLDivElement>(null)
  useFollow(list, active)
  const renderNodes = (nodes: readonly OutlineNode[], depth: number) => (
    <ol>
      {nodes.map(({ index, title, page, children }) => {
        const isLocked = page > preview
        const isActive = index === active
        return (
          <li key={index}>
            <div
              data-entry={index}
              style={{ paddingLeft: `${Math.min(5, depth) * 0.9}rem` }}
              className={cx('flex rounded-sm hover:bg-sunken', isActive && 'bg-accent-soft')}
            >
              {children.length > 0 ? (
                <button
                  type="button"
                  aria-expanded={isOpen(index)}
                  aria-label={`${isOpen(index) ? '收起' : '展开'}“${title}”`}
                  onClick={() => setChosen(new Map(chosen).set(index, !isOpen(index)))}
                  className="inline-flex w-7 shrink-0 items-start justify-center pt-2 text-muted hover:text-ink"
                >
                  <ChevronRight size={16} aria-hidden className={isOpen(index) ? 'rotate-90' : ''} />
                </button>
              ) : (
                <span className="w-7 shrink-0" />
              )}
              <button
                type="button"
                aria-current={isActive ? 'location' : undefined}
                title={isLocked ? '不在预览范围内' : undefined}
                onClick={() => (isLocked ? onLocked() : onGo(page))}
                className={cx(
                  'flex min-w-0 flex-1 gap-3 py-1.5 pr-2 text-left aria-[current]:font-medium aria-[current]:text-accent',
                  isLocked && 'text-muted',
                )}
              >
                <span className="min-w-0 flex-1">{title}</span>
                {isLocked && (
                  <span className="flex h-5 items-center">
                    <Lock size={12} aria-hidden />
                    <span className="sr-only">不在预览范围内</span>
                  </span>
                )}
                <span className="text-xs leading-5 text-muted tabular-nums">{page}</span>
              </button>
            </div>
            {children.length > 0 && isOpen(index) && renderNodes(children, depth + 1)}
          </li>
        )
      })}
    </ol>
  )
  return (
    <>
      {outline.some(({ page }) => page > preview) && (
        <p className="sticky -top-2 flex items-center gap-1.5 bg-surface px-2 pt-2 pb-1.5 text-xs text-muted">
          <Lock size={12} aria-hidden />
          带锁的部分不在预览范围内
        </p>
      )}
      <div ref={list} className="text-sm">
        {renderNodes(tree, 0)}
      </div>
    </>
  )
}
