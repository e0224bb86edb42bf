import {
  BookOpen,
  Crop,
  Expand,
  Focus,
  Keyboard,
  Maximize,
  Minus,
  MoveHorizontal,
  Plus,
  Presentation,
  Printer,
  RectangleVertical,
  RotateCw,
} from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import type { Spread } from '#web/features/documents/reader/pages/page-layout.ts'
import type { ReaderState } from '#web/features/documents/reader/pages/use-reader.ts'
import { GroundChoice } from '#web/features/documents/reader/preferences/ground-choice.tsx'
import { setPreferences, usePreferences } from '#web/features/documents/reader/preferences/preferences.ts'
import { useDismiss, usePanelFocus } from '#web/features/documents/reader/toolbar/use-panel.ts'
import type { ReaderMode } from '#web/features/documents/reader/toolbar/use-reader-mode.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

interface MoreMenuProps {
  /** The commands for the document, such as sharing it. */
  actions: ReactNode
  /** The switch to other views, for which a narrow bar has no room. */
  tools: ReactNode
  reader: ReaderState
  mode: ReaderMode
  onFull: () => void
  onFocus: () => void
  onOverlay: (overlay: 'presentation' | 'print' | 'keys') => void
  onClose: () => void
}

/** How pages are shown, and the commands that are used less often. */
export function MoreMenu({ actions, tools, reader, mode, onFull, onFocus, onOverlay, onClose }: MoreMenuProps) {
  const panel = useRef<HTMLElement>(null)
  const preferences = usePreferences()
  useDismiss(panel, onClose)
  usePanelFocus(panel)
  const then = (command: () => void) => () => {
    onClose()
    command()
  }
  const { zoom, percent, zoomIn, zoomOut, setZoom } = reader
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="更多阅读设置"
      className="absolute right-0 z-10 max-h-[min(75dvh,40rem)] w-[22rem] max-w-full animate-appear overflow-y-auto overscroll-contain rounded-md border border-line bg-surface p-3 text-sm shadow-soft outline-none max-md:bottom-full max-md:max-h-[calc(100dvh-100%-4.5rem)] max-md:w-full max-md:rounded-b-none md:top-full md:mt-2"
    >
      <div className="space-y-3">
        <div className="flex flex-wrap items-center gap-2 border-b border-line pb-3 md:hidden">
          {actions}
          <span className="ml-auto flex items-center min-[24rem]:hidden">{tools}</span>
        </div>
        <GroundChoice />
        <fieldset aria-label="缩放" className="flex flex-wrap items-center gap-1">
          <span className="mr-auto text-muted">缩放</span>
          <IconButton label="缩小页面" disabled={zoomOut === undefined} onClick={() => zoomOut && setZoom(zoomOut)}>
            <Minus size={18} aria-hidden />
          </IconButton>
          <output className="min-w-12 text-center tabular-nums">{percent}%</output>
          <IconButton label="放大页面" disabled={zoomIn === undefined} onClick={() => zoomIn && setZoom(zoomIn)}>
            <Plus size={18} aria-hidden />
          </IconButton>
          <IconButton label="页面适合宽度" aria-pressed={zoom === 'width'} onClick={() => setZoom('width')}>
            <MoveHorizontal size={18} className={zoom === 'width' ? 'text-accent' : ''} aria-hidden />
          </IconButton>
          <IconButton label="页面适合屏幕" aria-pressed={zoom === 'page'} onClick={() => setZoom('page')}>
            <RectangleVertical size={18} className={zoom === 'page' ? 'text-accent' : ''} aria-hidden />
          </IconButton>
        </fieldset>
        {!reader.isNarrow && (
          <Choice
            label="排列"
            value={preferences.spread}
            options={spreadNames}
            onChoose={(next: Spread) => setPreferences({ spread: next })}
          />
        )}
      </div>
      <div className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-1 border-t border-line pt-3">
        {reader.isCroppable && (
          <Command
            icon={<Crop size={18} aria-hidden />}
            isOn={reader.isCropped}
            onClick={() => setPreferences({ crop: !reader.isCropped })}
          >
            裁边
          </Command>
        )}
        <Command icon={<RotateCw size={18} aria-hidden />} onClick={reader.rotate}>
          旋转 90°
        </Command>
        {!reader.isNarrow && (
          <Command
            icon={<Expand size={18} aria-hidden />}
            isOn={preferences.wide}
            onClick={() => setPreferences({ wide: !preferences.wide })}
          >
            宽屏
          </Command>
        )}
        <Command icon={<Focus size={18} aria-hidden />} isOn={mode === 'focus'} onClick={then(onFocus)}>
          专注
        </Command>
        <Command icon={<Maximize size={18} aria-hidden />} isOn={mode === 'full'} onClick={then(onFull)}>
          {mode === 'full' ? '离开全屏' : '全屏阅读'}
        </Command>
        <Command icon={<Presentation size={18} aria-hidden />} onClick={then(() => onOverlay('presentation'))}>
          演示
        </Command>
        <Command icon={<Printer size={18} aria-hidden />} onClick={then(() => onOverlay('print'))}>
          打印
        </Command>
        {!reader.isNarrow && (
          <Command icon={<Keyboard size={18} aria-hidden />} onClick={then(() => onOverlay('keys'))}>
            快捷键
          </Command>
        )}
      </div>
    </section>
  )
}

const spreadNames: readonly Option<Spread>[] = [
  { value: 'single', name: '单页', mark: <RectangleVertical size={16} aria-hidden /> },
  { value: 'double', name: '双页', mark: <BookOpen size={16} aria-hidden /> },
  { value: 'cover', name: '封面单独', mark: null },
]

interface Option<T> {
  value: T
  name: string
  mark: ReactNode
}

interface ChoiceProps<T> {
  label: string
  value: T
  options: readonly Option<T>[]
  onChoose: (value: T) => void
}

function Choice<T extends string>({ label, value, options, onChoose }: ChoiceProps<T>) {
  return (
    <fieldset className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <legend className="float-left mr-auto text-muted">{label}</legend>
      <div className="ml-auto flex flex-wrap rounded-md border border-line">
        {options.map((option) => (
          <label
            key={option.value}
            className="flex min-h-9 cursor-pointer items-center gap-1.5 rounded-md px-3 has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={label}
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
              className="sr-only"
            />
            {option.mark}
            {option.name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface CommandProps {
  icon: ReactNode
  /** For a command that is a switch. */
  isOn?: boolean
  onClick: () => void
  children: ReactNode
}

function Command({ icon, isOn, onClick, children }: CommandProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className="flex min-h-10 items-center gap-3 rounded-md px-2.5 text-left hover:bg-sunken aria-pressed:bg-accent-soft aria-pressed:text-accent"
    >
      {icon}
      {children}
    </button>
  )
}
