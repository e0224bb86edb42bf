import { highlightColorLabels, type HighlightColor } from '#shared/enums.ts'
import { dotClasses, highlightColors } from '#web/features/documents/reader/notes/highlight-colors.ts'
import { cx } from '#web/ui/class-names.ts'

interface ColorButtonsProps {
  /** Of the highlight that is edited. */
  chosen?: HighlightColor
  onChoose: (color: HighlightColor) => void
}

export function ColorButtons({ chosen, onChoose }: ColorButtonsProps) {
  return highlightColors.map((color) => (
    <button
      key={color}
      type="button"
      aria-label={`${highlightColorLabels[color]}高亮`}
      title={`${highlightColorLabels[color]}高亮`}
      aria-pressed={chosen === undefined ? undefined : chosen === color}
      onClick={() => onChoose(color)}
      className="flex size-10 items-center justify-center rounded-md hover:bg-sunken"
    >
      <span
        className={cx(
          'size-5 rounded-full ring-offset-2 ring-offset-surface',
          dotClasses[color],
          chosen === color && 'ring-2 ring-ink',
        )}
      />
    </button>
  ))
}
