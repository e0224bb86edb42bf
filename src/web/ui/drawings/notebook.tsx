import { Drawing, type DrawingProps, leaf, paper, print } from '#web/ui/drawings/drawing.tsx'

/** A notebook and a pen: no notes yet. */
export function NotebookDrawing(props: DrawingProps) {
  return (
    <Drawing {...props}>
      <rect x="30" y="8" width="58" height="70" rx="5" className={paper} />
      <path d="M26 20h8M26 32h8M26 44h8M26 56h8M26 68h8" className="stroke-edge" strokeWidth="2.5" />
      <path d="M44 22h30M44 46h30M44 58h16" className={print} />
      <path d="M44 34h24" className="stroke-accent-soft" strokeWidth="8" />
      <path d="M44 34h24" className="stroke-accent" strokeWidth="2.5" />
      <path d="m76 70 3-11 25-25 8 8-25 25z" className={paper} />
      <path d="m76 70 3-11 8 8z" className={leaf} />
    </Drawing>
  )
}
