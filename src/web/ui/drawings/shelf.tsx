import { Drawing, type DrawingProps, leaf, paper, print } from '#web/ui/drawings/drawing.tsx'

/** A shelf with room left: nothing collected yet. */
export function ShelfDrawing(props: DrawingProps) {
  return (
    <Drawing {...props}>
      <g className={paper}>
        <rect x="22" y="30" width="15" height="44" rx="2" />
        <rect x="37" y="18" width="17" height="56" rx="2" />
        <rect x="54" y="36" width="13" height="38" rx="2" />
        <rect x="73" y="33" width="14" height="41" rx="2" transform="rotate(-15 80 74)" />
      </g>
      <path d="M27 40h5M27 64h5M58 46h5M58 64h5" className={print} />
      <path d="M41.5 18v22l4-4 4 4V18z" className={leaf} />
      <path d="M12 75h104M22 75v6M106 75v6" className="stroke-edge" strokeWidth="2.5" />
    </Drawing>
  )
}
