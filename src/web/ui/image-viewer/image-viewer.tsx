import {
  ChevronLeft,
  ChevronRight,
  FlipHorizontal2,
  FlipVertical2,
  Maximize,
  Minimize,
  RotateCcw,
  RotateCw,
  Scaling,
  X,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import * as Primitive from 'radix-ui/dialog'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefObject } from 'react'
import { enterFullScreen, exitFullScreen, onFullScreenChange } from '#web/lib/browser/full-screen.ts'
import { cx } from '#web/ui/class-names.ts'
import { useGestures } from '#web/ui/image-viewer/gestures.ts'
import {
  initialView,
  flip,
  clampToStage,
  moveBy,
  maxOffset,
  toTransform,
  rotate,
  zoomBy,
  zoomTo,
  type Point,
  type Size,
  type View,
} from '#web/ui/image-viewer/view.ts'
import { Spinner } from '#web/ui/feedback/spinner.tsx'

interface ImageViewerProps {
  pictures: readonly { src: string; alt: string }[]
  /** The index of the picture that is shown first. */
  first: number
  onClose: () => void
}

const zoomStep = 1.25
const panStep = 80

/** Pictures over the whole page: zoomed, rotated and mirrored by pointer, touch or keys. */
export function ImageViewer({ pictures, first, onClose }: ImageViewerProps) {
  const sheet = useRef<HTMLDivElement>(null)
  const [opener] = useState(() => document.activeElement)
  const returnFocus = (event: Event) => {
    event.preventDefault()
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
  }
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Content
          ref={sheet}
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          className="fixed inset-0 z-50 bg-[#0c0e0d] text-[#f4f6f5] outline-none select-none"
        >
          <Primitive.Title className="sr-only">查看图片</Primitive.Title>
          <Viewer sheet={sheet} pictures={pictures} first={first} onClose={onClose} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** The picture on its stage, with the toolbar. Rendered inside the dialog, so that `sheet` is set. */
function Viewer({ sheet, pictures, first, onClose }: ImageViewerProps & { sheet: RefObject<HTMLElement | null> }) {
  const [index, setIndex] = useState(first)
  const [view, setView] = useState(initialView)
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  /** The picture's rendered size at scale 1, relative to its natural size. */
  const [fit, setFit] = useState(1)
  const stage = useRef<HTMLDivElement>(null)
  const image = useRef<HTMLImageElement>(null)
  const [full, setFull] = useFullScreen(sheet)

  const sizes = (): [picture: Size, stage: Size] => [sizeOf(image.current), sizeOf(stage.current)]
  const change = (next: (before: View) => View) => setView((before) => clampToStage(next(before), ...sizes()))
  const zoom = (factor: number, at?: Point) => change((before) => zoomBy(before, factor, at))
  const isLarge = () => {
    const { x, y } = maxOffset(view, ...sizes())
    return x > 0 || y > 0
  }
  const go = (by: number) => {
    const next = index + by
    if (next < 0 || next >= pictures.length) return
    setIndex(next)
    setView(initialView)
    setState('loading')
  }
  /** The scale at which the picture has its natural size. */
  const naturalScale = 1 / (fit || 1)
  const toggleFit = (at?: Point) =>
    change((before) => (before.scale === 1 ? zoomTo(before, Math.max(2, naturalScale), at) : { ...before, ...fitted }))

  const keys: Record<string, () => void> = {
    '+': () => zoom(zoomStep),
    '=': () => zoom(zoomStep),
    '-': () => zoom(1 / zoomStep),
    '0': () => setView(initialView),
    '1': () => change((before) => zoomTo(before, naturalScale)),
    r: () => change((before) => rotate(before, 1)),
    R: () => change((before) => rotate(before, -1)),
    h: () => change((before) => flip(before, 'x')),
    v: () => change((before) => flip(before, 'y')),
    f: () => setFull(!full),
    PageUp: () => go(-1),
    PageDown: () => go(1),
    ArrowLeft: () => (isLarge() ? change((before) => moveBy(before, { x: panStep, y: 0 })) : go(-1)),
    ArrowRight: () => (isLarge() ? change((before) => moveBy(before, { x: -panStep, y: 0 })) : go(1)),
    ArrowUp: () => change((before) => moveBy(before, { x: 0, y: panStep })),
    ArrowDown: () => change((before) => moveBy(before, { x: 0, y: -panStep })),
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
    if (!action) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    const target = sheet.current
    // On the sheet: it gets the focus when the focused button disappears.
    target?.addEventListener('keydown', onKeyDown)
    return () => target?.removeEventListener('keydown', onKeyDown)
  }, [sheet])
  const { listeners, fromMiddle } = useGestures(stage, {
    zoom,
    move: (by) => change((before) => moveBy(before, by)),
    swipe: (by) => go(by > 0 ? -1 : 1),
    leave: onClose,
    isLarge: view.scale > 1,
  })
  const picture = pictures[index]
  const name = picture?.alt || '图片'
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-14 shrink-0 items-center gap-3 pr-2 pl-4 text-sm">
        {pictures.length > 1 && (
          <span className="tabular-nums">
            {index + 1} / {pictures.length}
          </span>
        )}
        <p aria-live="polite" className="min-w-0 flex-1 truncate text-[#f4f6f5]/80">
          {picture?.alt}
        </p>
        <Primitive.Close aria-label="关闭（Esc）" title="关闭（Esc）" className={buttonClass}>
          <X size={20} aria-hidden />
        </Primitive.Close>
      </div>
      <div
        ref={stage}
        {...listeners}
        onDoubleClick={({ clientX: x, clientY: y }) => toggleFit(fromMiddle({ x, y }))}
        className={cx(
          'relative flex min-h-0 flex-1 touch-none items-center justify-center overflow-hidden',
          view.scale > 1 ? 'cursor-grab active:cursor-grabbing' : 'cursor-zoom-in',
        )}
      >
        {state === 'loading' && (
          <span className="absolute">
            <Spinner size={28} />
          </span>
        )}
        {state === 'failed' && <p role="alert">图片没有加载成功</p>}
        <img
          key={index}
          ref={image}
          src={picture?.src}
          alt={name}
          draggable={false}
          onLoad={({ currentTarget: { offsetWidth, naturalWidth } }) => {
            setFit(naturalWidth > 0 ? offsetWidth / naturalWidth : 1)
            setState('shown')
          }}
          onError={() => setState('failed')}
          style={{ transform: toTransform(view) }}
          className={cx('max-h-full max-w-full object-contain px-2', state !== 'shown' && 'invisible')}
        />
        <SideButton side="left" label="上一张" isShown={index > 0} onPress={() => go(-1)} />
        <SideButton side="right" label="下一张" isShown={index < pictures.length - 1} onPress={() => go(1)} />
      </div>
      <div
        role="toolbar"
        aria-label="图片操作"
        className="mx-auto flex shrink-0 flex-wrap items-center justify-center px-2 py-2"
      >
        <Tool label="缩小（-）" onPress={() => zoom(1 / zoomStep)} icon={<ZoomOut size={20} aria-hidden />} />
        <output aria-label="缩放" className="w-14 text-center text-sm tabular-nums max-sm:hidden">
          {Math.round(view.scale * fit * 100)}%
        </output>
        <Tool label="放大（+）" onPress={() => zoom(zoomStep)} icon={<ZoomIn size={20} aria-hidden />} />
        <Tool label="适合窗口或原始大小" onPress={() => toggleFit()} icon={<Scaling size={20} aria-hidden />} />
        <Tool label="向左旋转（Shift+R）" onPress={() => keys['R']?.()} icon={<RotateCcw size={20} aria-hidden />} />
        <Tool label="向右旋转（R）" onPress={() => keys['r']?.()} icon={<RotateCw size={20} aria-hidden />} />
        <Tool label="水平翻转（H）" onPress={() => keys['h']?.()} icon={<FlipHorizontal2 size={20} aria-hidden />} />
        <Tool label="垂直翻转（V）" onPress={() => keys['v']?.()} icon={<FlipVertical2 size={20} aria-hidden />} />
        <Tool
          label={full ? '退出全屏（F）' : '全屏（F）'}
          onPress={() => setFull(!full)}
          icon={full ? <Minimize size={20} aria-hidden /> : <Maximize size={20} aria-hidden />}
        />
      </div>
    </div>
  )
}

const fitted = { scale: 1, x: 0, y: 0 }

const buttonClass =
  'flex size-10 shrink-0 items-center justify-center rounded-md text-[#f4f6f5]/85 hover:bg-[#fff]/12 hover:text-[#fff] focus-visible:outline-[#fff]'

function Tool({ label, icon, onPress }: { label: string; icon: ReactNode; onPress: () => void }) {
  return (
    <button type="button" aria-label={label} title={label} onClick={onPress} className={buttonClass}>
      {icon}
    </button>
  )
}

interface SideButtonProps {
  side: 'left' | 'right'
  label: string
  isShown: boolean
  onPress: () => void
}

function SideButton({ side, label, isShown, onPress }: SideButtonProps) {
  if (!isShown) return null
  const Icon = side === 'left' ? ChevronLeft : ChevronRight
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onPress}
      onPointerDown={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      className={cx(
        buttonClass,
        'absolute top-1/2 -translate-y-1/2 cursor-pointer bg-[#0c0e0d]/55',
        side === 'left' ? 'left-2' : 'right-2',
      )}
    >
      <Icon size={24} aria-hidden />
    </button>
  )
}

function sizeOf(element: HTMLElement | null): Size {
  return { width: element?.offsetWidth ?? 0, height: element?.offsetHeight ?? 0 }
}

/** Browsers without full screen, as on some phones, stay as they are: the sheet fills the window already. */
function useFullScreen(target: { current: HTMLElement | null }): [full: boolean, setFull: (full: boolean) => void] {
  const [full, setFull] = useState(false)
  useEffect(() => {
    const unsubscribe = onFullScreenChange(setFull)
    return () => {
      unsubscribe()
      exitFullScreen()
    }
  }, [])
  const request = (next: boolean) => {
    if (next) enterFullScreen(target.current)
    else exitFullScreen()
  }
  return [full, request]
}
