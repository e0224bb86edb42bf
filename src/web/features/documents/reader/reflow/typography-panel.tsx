import { Minus, Plus } from 'lucide-react'
import { useId, useRef, type ReactNode } from 'react'
import { GroundChoice } from '#web/features/documents/reader/preferences/ground-choice.tsx'
import {
  fontFamilies,
  maxSize,
  minSize,
  setTypography,
  stepSize,
  useTypography,
  type Font,
  type Typography,
} from '#web/features/documents/reader/reflow/typography.ts'
import { useDismiss, usePanelFocus } from '#web/features/documents/reader/toolbar/use-panel.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

interface TypographyPanelProps {
  full: boolean
  onFull: () => void
  onClose: () => void
}

/** Font, size, line height and ground of the text. Below the toolbar; on a phone above it. */
export function TypographyPanel({ full, onFull, onClose }: TypographyPanelProps) {
  const { font, size, lineHeight, isPaged } = useTypography()
  const chooseTurns = (next: 'turns' | 'scrolls') => {
    setTypography({ isPaged: next === 'turns' })
    // Screens are turned over the whole window.
    if (next === 'turns' && !full) onFull()
  }
  const panel = useRef<HTMLElement>(null)
  usePanelFocus(panel)
  useDismiss(panel, onClose)
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="排版"
      className="absolute right-0 flex max-h-[70dvh] w-80 animate-appear flex-col gap-4 overflow-y-auto rounded-md border border-line bg-surface p-4 text-sm shadow-soft outline-none max-md:bottom-full max-md:w-full max-md:rounded-b-none md:top-full md:mt-2"
    >
      <fieldset aria-label="字号" className="flex items-center gap-2">
        <span aria-hidden className="w-10 shrink-0 text-muted">
          字号
        </span>
        <IconButton
          label="减小字号"
          disabled={size <= minSize}
          onClick={() => setTypography({ size: stepSize(size, -1) })}
        >
          <Minus size={18} aria-hidden />
        </IconButton>
        <output aria-live="polite" className="flex-1 text-center tabular-nums">
          {size}
        </output>
        <IconButton
          label="增大字号"
          disabled={size >= maxSize}
          onClick={() => setTypography({ size: stepSize(size, 1) })}
        >
          <Plus size={18} aria-hidden />
        </IconButton>
      </fieldset>
      <Choice
        label="字体"
        value={font}
        options={fontNames}
        onChoose={(next) => setTypography({ font: next })}
        render={({ value, name }) => <span style={{ fontFamily: fontFamilies[value] }}>{name}</span>}
      />
      <Choice
        label="行距"
        value={lineHeight}
        options={lineHeightNames}
        onChoose={(next) => setTypography({ lineHeight: next })}
      />
      <Choice label="翻页" value={isPaged && full ? 'turns' : 'scrolls'} options={turnNames} onChoose={chooseTurns} />
      <GroundChoice />
    </section>
  )
}

interface Option<T> {
  value: T
  name: string
}

const fontNames: readonly Option<Font>[] = [
  { value: 'sans', name: '黑体' },
  { value: 'serif', name: '宋体' },
  { value: 'kai', name: '楷体' },
]
const lineHeightNames: readonly Option<Typography['lineHeight']>[] = [
  { value: 1.5, name: '紧凑' },
  { value: 1.75, name: '适中' },
  { value: 2.1, name: '宽松' },
]
const turnNames: readonly Option<'turns' | 'scrolls'>[] = [
  { value: 'scrolls', name: '上下滚动' },
  { value: 'turns', name: '左右翻页' },
]
interface ChoiceProps<T, O extends Option<T>> {
  label: string
  value: T | undefined
  options: readonly O[]
  onChoose: (value: T) => void
  render?: (option: O) => ReactNode
}

function Choice<T extends string | number, O extends Option<T>>(props: ChoiceProps<T, O>) {
  const { label, value, options, onChoose, render = ({ name }) => name } = props
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className="flex items-center gap-2">
      <span aria-hidden className="w-10 shrink-0 text-muted">
        {label}
      </span>
      <div className="grid flex-1 auto-cols-fr grid-flow-col gap-1.5">
        {options.map((option) => (
          <label
            key={option.value}
            className="flex min-h-10 cursor-pointer items-center justify-center gap-1.5 rounded-md border border-line hover:border-edge has-checked:border-accent has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
              className="sr-only"
            />
            {render(option)}
          </label>
        ))}
      </div>
    </div>
  )
}
