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
import { cx } from '#web/ui/class-names.ts'
import { useGestures } from '#web/ui/image-viewer-gestures.ts'
import {
  atRest,
  flipped,
  held,
  moved,
  reach,
  transformOf,
  turned,
  zoomed,
  zoomedTo,
  type Point,
  type Size,
  type View,
} from '#web/ui/image-viewer-state.ts'
import { Spinner } from '#web/ui/spinner.tsx'

interface ImageViewerProps {
  pictures: readonly { src: string; alt: string }[]
  /** The one that is shown first. */
  first: number
  onClose: () => void
}

const step = 1.25
const pan = 80

/** Pictures over the whole page: zoomed, turned and mirrored by pointer, fingers or keys. */
export function ImageViewer({ pictures, first, onClose }: ImageViewerProps) {
  const sheet = useRef<HTMLDivElement>(null)
  const [opener] = useState(() => document.activeElement)
  const goBack = (event: Event) => {
    event.preventDefault()
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
  }
  return (
    <Primitive.Root open onOpenChange={(open) => !open && onClose()}>
      <Primitive.Portal>
        <Primitive.Content
          ref={sheet}
          aria-describedby={undefined}
          onCloseAutoFocus={goBack}
          className="fixed inset-0 z-50 bg-[#0c0e0d] text-[#f4f6f5] outline-none select-none"
        >
          <Primitive.Title className="sr-only">查看图片</Primitive.Title>
          <LightTable sheet={sheet} pictures={pictures} first={first} onClose={onClose} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** The picture on its stage, and what is done with it. It is there only once the sheet is. */
function LightTable({ sheet, pictures, first, onClose }: ImageViewerProps & { sheet: RefObject<HTMLElement | null> }) {
  const [place, setPlace] = useState(first)
  const [view, setView] = useState(atRest)
  const [state, setState] = useState<'coming' | 'shown' | 'failed'>('coming')
  /** How much of its own size the picture has when it fits the stage. */
  const [fit, setFit] = useState(1)
  const stage = useRef<HTMLDivElement>(null)
  const image = useRef<HTMLImageElement>(null)
  const [full, turnFull] = useFullScreen(sheet)

  const sizes = (): [picture: Size, stage: Size] => [boxOf(image.current), boxOf(stage.current)]
  const change = (next: (before: View) => View) => setView((before) => held(next(before), ...sizes()))
  const zoom = (factor: number, at?: Point) => change((before) => zoomed(before, factor, at))
  const isLarge = () => {
    const { x, y } = reach(view, ...sizes())
    return x > 0 || y > 0
  }
  const go = (by: number) => {
    const next = place + by
    if (next < 0 || next >= pictures.length) return
    setPlace(next)
    setView(atRest)
    setState('coming')
  }
  /** One to one with the picture's own points. */
  const real = 1 / (fit || 1)
  const between = (at?: Point) =>
    change((before) => (before.scale === 1 ? zoomedTo(before, Math.max(2, real), at) : { ...before, ...middle }))

  const keys: Record<string, () => void> = {
    '+': () => zoom(step),
    '=': () => zoom(step),
    '-': () => zoom(1 / step),
    '0': () => setView(atRest),
    '1': () => change((before) => zoomedTo(before, real)),
    r: () => change((before) => turned(before, 1)),
    R: () => change((before) => turned(before, -1)),
    h: () => change((before) => flipped(before, 'x')),
    v: () => change((before) => flipped(before, 'y')),
    f: () => turnFull(!full),
    PageUp: () => go(-1),
    PageDown: () => go(1),
    ArrowLeft: () => (isLarge() ? change((before) => moved(before, { x: pan, y: 0 })) : go(-1)),
    ArrowRight: () => (isLarge() ? change((before) => moved(before, { x: -pan, y: 0 })) : go(1)),
    ArrowUp: () => change((before) => moved(before, { x: 0, y: pan })),
    ArrowDown: () => change((before) => moved(before, { x: 0, y: -pan })),
  }
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const deed = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
    if (!deed) return
    event.preventDefault()
    deed()
  })
  useEffect(() => {
    const whole = sheet.current
    // When the button that has the focus goes, the sheet has it.
    whole?.addEventListener('keydown', onKeyDown)
    return () => whole?.removeEventListener('keydown', onKeyDown)
  }, [sheet])
  const { handlers, fromMiddle } = useGestures(stage, {
    zoom,
    move: (by) => change((before) => moved(before, by)),
    swipe: (by) => go(by > 0 ? -1 : 1),
    leave: onClose,
    isLarge: view.scale > 1,
  })
  const picture = pictures[place]
  const name = picture?.alt || '图片'
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-14 shrink-0 items-center gap-3 pr-2 pl-4 text-sm">
        {pictures.length > 1 && (
          <span className="tabular-nums">
            {place + 1} / {pictures.length}
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
        {...handlers}
        onDoubleClick={({ clientX: x, clientY: y }) => between(fromMiddle({ x, y }))}
        className={cx(
          'relative flex min-h-0 flex-1 touch-none items-center justify-center overflow-hidden',
          view.scale > 1 ? 'cursor-grab active:cursor-grabbing' : 'cursor-zoom-in',
        )}
      >
        {state === 'coming' && (
          <span className="absolute">
            <Spinner size={28} />
          </span>
        )}
        {state === 'failed' && <p role="alert">图片没有加载成功</p>}
        <img
          key={place}
          ref={image}
          src={picture?.src}
          alt={name}
          draggable={false}
          onLoad={({ currentTarget: { offsetWidth, naturalWidth } }) => {
            setFit(naturalWidth > 0 ? offsetWidth / naturalWidth : 1)
            setState('shown')
          }}
          onError={() => setState('failed')}
          style={{ transform: transformOf(view) }}
          className={cx('max-h-full max-w-full object-contain px-2', state !== 'shown' && 'invisible')}
        />
        <Beside side="left" label="上一张" isShown={place > 0} onPress={() => go(-1)} />
        <Beside side="right" label="下一张" isShown={place < pictures.length - 1} onPress={() => go(1)} />
      </div>
      <div
        role="toolbar"
        aria-label="图片操作"
        className="mx-auto flex shrink-0 flex-wrap items-center justify-center px-2 py-2"
      >
        <Tool label="缩小（-）" onPress={() => zoom(1 / step)} icon={<ZoomOut size={20} aria-hidden />} />
        <output aria-label="缩放" className="w-14 text-center text-sm tabular-nums max-sm:hidden">
          {Math.round(view.scale * fit * 100)}%
        </output>
        <Tool label="放大（+）" onPress={() => zoom(step)} icon={<ZoomIn size={20} aria-hidden />} />
        <Tool label="适合窗口或原始大小" onPress={() => between()} icon={<Scaling size={20} aria-hidden />} />
        <Tool label="向左旋转（Shift+R）" onPress={() => keys['R']?.()} icon={<RotateCcw size={20} aria-hidden />} />
        <Tool label="向右旋转（R）" onPress={() => keys['r']?.()} icon={<RotateCw size={20} aria-hidden />} />
        <Tool label="水平翻转（H）" onPress={() => keys['h']?.()} icon={<FlipHorizontal2 size={20} aria-hidden />} />
        <Tool label="垂直翻转（V）" onPress={() => keys['v']?.()} icon={<FlipVertical2 size={20} aria-hidden />} />
        <Tool
          label={full ? '退出全屏（F）' : '全屏（F）'}
          onPress={() => turnFull(!full)}
          icon={full ? <Minimize size={20} aria-hidden /> : <Maximize size={20} aria-hidden />}
        />
      </div>
    </div>
  )
}

const middle = { scale: 1, x: 0, y: 0 }

const buttonClass =
  'flex size-10 shrink-0 items-center justify-center rounded-md text-[#f4f6f5]/85 hover:bg-[#fff]/12 hover:text-[#fff] focus-visible:outline-[#fff]'

function Tool({ label, icon, onPress }: { label: string; icon: ReactNode; onPress: () => void }) {
  return (
    <button type="button" aria-label={label} title={label} onClick={onPress} className={buttonClass}>
      {icon}
    </button>
  )
}

interface BesideProps {
  side: 'left' | 'right'
  label: string
  isShown: boolean
  onPress: () => void
}

function Beside({ side, label, isShown, onPress }: BesideProps) {
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

function boxOf(element: HTMLElement | null): Size {
  return { width: element?.offsetWidth ?? 0, height: element?.offsetHeight ?? 0 }
}

/** Where the browser gives none, as on some phones, the sheet fills the window already. */
function useFullScreen(target: { current: HTMLElement | null }): [full: boolean, turn: (full: boolean) => void] {
  const [full, setFull] = useState(false)
  useEffect(() => {
    const follow = () => setFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', follow)
    return () => {
      document.removeEventListener('fullscreenchange', follow)
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
    }
  }, [])
  const turn = (next: boolean) => {
    if (next) void target.current?.requestFullscreen?.().catch(() => undefined)
    else if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
  }
  return [full, turn]
}
