import { Drawing, type DrawingProps, leaf, paper, print } from '#web/ui/drawings/drawing.tsx'

/** A library card: what only members can do. */
export function LibraryCardDrawing(props: DrawingProps) {
  return (
    <Drawing {...props}>
      <rect x="34" y="12" width="76" height="50" rx="5" transform="rotate(7 72 37)" className={paper} />
      <rect x="20" y="22" width="78" height="52" rx="5" className={paper} />
      <path d="M20 36h78" className="stroke-edge" />
      <path d="M56 48h32M56 58h20" className={print} />
      <path d="M31 64c-3-10 2-18 15-18 1 11-5 18-15 18zM29 67l9-11" className={leaf} />
    </Drawing>
  )
}
