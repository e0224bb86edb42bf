import { Drawing, type DrawingProps, leaf, paper, print } from '#web/ui/drawings/drawing.tsx'

/** A closed book and a cup of tea: a document read to the end. */
export function TeaDrawing(props: DrawingProps) {
  return (
    <Drawing {...props}>
      <path d="M16 78V24a6 6 0 0 1 6-6h40v52H22a6 6 0 0 0 0 12h40V70" className={paper} />
      <path d="M26 76h36" className={print} />
      <path d="M28 34h20M28 44h12" className={print} />
      <path d="M50 18v24l4-4 4 4V18z" className={leaf} />
      <path d="M74 54h30v12a15 15 0 0 1-30 0zM104 58c11-2 11 14 0 13" className={paper} />
      <path d="M70 82h38" className="stroke-edge" strokeWidth="2.5" />
      <path d="M84 44c-4-5 4-8 0-14M94 44c-4-5 4-8 0-14" className="stroke-accent" strokeWidth="2" />
    </Drawing>
  )
}
