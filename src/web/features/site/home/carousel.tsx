import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react'
import { useRef, type ComponentProps, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { swipeDirection, useSlides, type Slides } from '#web/features/site/home/slides.ts'
import { cx } from '#web/ui/class-names.ts'
import { SmartLink } from '#web/ui/navigation/smart-link.tsx'

export interface Slide {
  id: number
  title: string
  /** The picture. */
  path: string
  /** The link, if there is one. */
  url: string
}

interface CarouselProps {
  slides: Slide[]
  /** Sets at least the height. */
  className: string
  /** Classes of the pictures' box. */
  pictures?: string
  /** Shown over the pictures. */
  children?: ReactNode
}

/** The owner's banners. */
export function Carousel({ slides, className, pictures, children }: CarouselProps) {
  const state = useSlides(slides.length)
  const { current, wasShown, isMoving, setPointed, setFocused } = state
  const swipe = useSwipe(state)
  return (
    <section
      aria-roledescription="轮播"
      aria-label="横幅"
      className={cx('group/carousel relative bg-sunken', className)}
    >
      <div
        role="presentation"
        onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setPointed(true)}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setPointed(false)}
        onFocus={() => setFocused(true)}
        onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setFocused(false)}
      >
        <ul
          aria-live={isMoving ? 'off' : 'polite'}
          className={cx('absolute inset-0 touch-pan-y overflow-hidden', pictures)}
          {...swipe}
        >
          {slides.map((slide, index) => (
            <li
              key={slide.id}
              aria-label={`第 ${index + 1} 张，共 ${slides.length} 张`}
              inert={index !== current}
              className={cx('absolute inset-0 transition-opacity duration-500', index !== current && 'opacity-0')}
            >
              {wasShown(index) && <Picture slide={slide} isFirst={index === 0} />}
            </li>
          ))}
        </ul>
        {children}
        {slides.length > 1 && <Controls slides={slides} state={state} />}
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

function Controls({ slides, state }: { slides: Slide[]; state: Slides }) {
  const { current, show, step, isPaused, setPaused, prefersReducedMotion } = state
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') step(-1)
    if (key === 'ArrowRight') step(1)
  }
  return (
    <div role="presentation" onKeyDown={onKeyDown}>
      <Arrow label="上一张" onClick={() => step(-1)} className="left-3 xl:left-6">
        <ChevronLeft size={22} aria-hidden />
      </Arrow>
      <Arrow label="下一张" onClick={() => step(1)} className="right-3 xl:right-6">
        <ChevronRight size={22} aria-hidden />
      </Arrow>
      <fieldset
        aria-label="切换横幅"
        className="absolute inset-x-0 bottom-2.5 mx-auto flex w-fit items-center rounded-full bg-[#000]/55 px-1.5 text-[#fff]"
      >
        {slides.map(({ id }, index) => (
          <button
            key={id}
            type="button"
            aria-label={`第 ${index + 1} 张`}
            aria-current={index === current ? 'true' : undefined}
            onClick={() => show(index)}
            className="flex h-6 min-w-6 items-center justify-center rounded-full focus-visible:-outline-offset-2 focus-visible:outline-[#fff]"
          >
            <span
              className={cx(
                'h-2 rounded-full transition-all',
                index === current ? 'w-5 bg-[#fff]' : 'w-2 bg-[#fff]/60',
              )}
            />
          </button>
        ))}
        {!prefersReducedMotion && (
          <button
            type="button"
            aria-label={isPaused ? '继续播放横幅' : '停止播放横幅'}
            onClick={() => setPaused(!isPaused)}
            className="flex size-6 items-center justify-center rounded-full focus-visible:-outline-offset-2 focus-visible:outline-[#fff]"
          >
            {isPaused ? <Play size={12} aria-hidden /> : <Pause size={12} aria-hidden />}
          </button>
        )}
      </fieldset>
    </div>
  )
}

/** Touch screens swipe instead. */
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

function useSwipe({ step }: Slides) {
  const start = useRef<{ x: number; y: number }>(undefined)
  return {
    onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
      start.current = pointerType === 'mouse' ? undefined : { x: clientX, y: clientY }
    },
    onPointerUp: ({ clientX, clientY }: PointerEvent) => {
      if (start.current) step(swipeDirection({ x: clientX - start.current.x, y: clientY - start.current.y }))
      start.current = undefined
    },
  }
}
