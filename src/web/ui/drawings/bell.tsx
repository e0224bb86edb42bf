import { Drawing, type DrawingProps, leaf, paper, print } from '#web/ui/drawings/drawing.tsx'

/** A quiet bell: no notifications. */
export function BellDrawing(props: DrawingProps) {
  return (
    <Drawing {...props}>
      <path d="M55 68a9 9 0 0 0 18 0" className={paper} />
      <path d="M64 22c-14 0-21 9-21 22v12l-8 12h58l-8-12V44c0-13-7-22-21-22z" className={paper} />
      <path d="M52 58V45c0-7 3-12 8-14" className={print} />
      <path d="M64 22c0-4 0-6 1-9" className="stroke-accent" strokeWidth="2" />
      <path d="M65 14c0-7 5-11 13-11 0 7-5 12-13 11z" className={leaf} />
    </Drawing>
  )
}
