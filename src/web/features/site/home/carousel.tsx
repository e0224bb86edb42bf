import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react'
import { useRef, type ComponentProps, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { strokeOf, useSlides, type Slides } from '#web/features/site/home/slides.ts'
import { cx } from '#web/ui/class-names.ts'
import { SmartLink } from '#web/ui/smart-link.tsx'

export interface Slide {
  id: number
  title: string
  /** The picture. */
  path: string
  /** Where it leads, if anywhere. */
  url: string
}

interface CarouselProps {
  slides: Slide[]
  /** Its height, at least. */
  className: string
  /** Rounds the pictures where they do not reach the edges of the window. */
  pictures?: string
  /** Stands before the pictures. */
  children?: ReactNode
}

/** The owner's pictures, one after the other. */
export function Carousel({ slides, className, pictures, children }: CarouselProps) {
  const moving = useSlides(slides.length)
  const { place, wasShown, isMoving, point, focus } = moving
  const finger = useFinger(moving)
  return (
    <section
      aria-roledescription="轮播"
      aria-label="横幅"
      className={cx('group/carousel relative bg-sunken', className)}
    >
      <div
        role="presentation"
        onPointerEnter={({ pointerType }) => pointerType === 'mouse' && point(true)}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && point(false)}
        onFocus={() => focus(true)}
        onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && focus(false)}
      >
        <ul
          aria-live={isMoving ? 'off' : 'polite'}
          className={cx('absolute inset-0 touch-pan-y overflow-hidden', pictures)}
          {...finger}
        >
          {slides.map((slide, at) => (
            <li
              key={slide.id}
              aria-label={`第 ${at + 1} 张，共 ${slides.length} 张`}
              inert={at !== place}
              className={cx('absolute inset-0 transition-opacity duration-500', at !== place && 'opacity-0')}
            >
              {wasShown(at) && <Picture slide={slide} isFirst={at === 0} />}
            </li>
          ))}
        </ul>
        {children}
        {slides.length > 1 && <Controls slides={slides} moving={moving} />}
      </div>
    </section>
  )
}

function Picture({ slide: { title, path, url }, isFirst }: { slide: Slide; isFirst: boolean }) {
  const picture = (
    <img
      src={path}
      alt={title}
      width={1920}
      height={420}
      draggable={false}
      fetchPriority={isFirst ? 'high' : 'auto'}
      className="size-full object-cover"
    />
  )
  if (url === '') return picture
  return (
    <SmartLink href={url} target="_self" className="block size-full focus-visible:-outline-offset-4">
      {picture}
    </SmartLink>
  )
}

function Controls({ slides, moving }: { slides: Slide[]; moving: Slides }) {
  const { place, show, turn, isStopped, stop, isCalm } = moving
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') turn(-1)
    if (key === 'ArrowRight') turn(1)
  }
  return (
    <div role="presentation" onKeyDown={onKeyDown}>
      <Arrow label="上一张" onClick={() => turn(-1)} className="left-3 xl:left-6">
        <ChevronLeft size={22} aria-hidden />
      </Arrow>
      <Arrow label="下一张" onClick={() => turn(1)} className="right-3 xl:right-6">
        <ChevronRight size={22} aria-hidden />
      </Arrow>
      <fieldset
        aria-label="切换横幅"
        className="absolute inset-x-0 bottom-2.5 mx-auto flex w-fit items-center rounded-full bg-[#000]/55 px-1.5 text-[#fff]"
      >
        {slides.map(({ id }, at) => (
          <button
            key={id}
            type="button"
            aria-label={`第 ${at + 1} 张`}
            aria-current={at === place ? 'true' : undefined}
            onClick={() => show(at)}
            className="flex h-6 min-w-6 items-center justify-center rounded-full focus-visible:-outline-offset-2 focus-visible:outline-[#fff]"
          >
            <span
              className={cx('h-2 rounded-full transition-all', at === place ? 'w-5 bg-[#fff]' : 'w-2 bg-[#fff]/60')}
            />
          </button>
        ))}
        {!isCalm && (
          <button
            type="button"
            aria-label={isStopped ? '继续播放横幅' : '停止播放横幅'}
            onClick={() => stop(!isStopped)}
            className="flex size-6 items-center justify-center rounded-full focus-visible:-outline-offset-2 focus-visible:outline-[#fff]"
          >
            {isStopped ? <Play size={12} aria-hidden /> : <Pause size={12} aria-hidden />}
          </button>
        )}
      </fieldset>
    </div>
  )
}

/** On a touch screen one strokes instead. */
function Arrow({ label, className, ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      {...rest}
      className={cx(
        'absolute inset-y-0 my-auto flex size-10 items-center justify-center rounded-full bg-[#000]/45 text-[#fff] opacity-0 transition-opacity group-hover/carousel:opacity-100 hover:bg-[#000]/65 focus-visible:opacity-100 focus-visible:outline-[#fff] max-md:hidden',
        className,
      )}
    />
  )
}

function useFinger({ turn }: Slides) {
  const from = useRef<{ x: number; y: number }>(undefined)
  return {
    onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
      from.current = pointerType === 'mouse' ? undefined : { x: clientX, y: clientY }
    },
    onPointerUp: ({ clientX, clientY }: PointerEvent) => {
      if (from.current) turn(strokeOf({ x: clientX - from.current.x, y: clientY - from.current.y }))
      from.current = undefined
    },
  }
}
