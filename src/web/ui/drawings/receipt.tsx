import { Drawing, type DrawingProps, leaf, paper, print } from '#web/ui/drawings/drawing.tsx'

/** A receipt and a bean: no orders or downloads yet. */
export function ReceiptDrawing(props: DrawingProps) {
  return (
    <Drawing {...props}>
      <path d="M38 8h48v68l-6-5-6 5-6-5-6 5-6-5-6 5-6-5-6 5z" className={paper} />
      <path d="M47 22h18M47 34h30M47 44h30" className={print} />
      <path d="M47 58h30" className="stroke-edge" strokeDasharray="3 4" />
      <ellipse cx="92" cy="58" rx="11" ry="16" transform="rotate(28 92 58)" className={leaf} />
      <path d="M97 47c-8 5-4 12-9 22" className="stroke-accent" strokeWidth="2" />
    </Drawing>
  )
}
