import { Drawing, type DrawingProps, paper, print } from '#web/ui/drawings/drawing.tsx'

/** Pages of paper: a list without entries. */
export function PagesDrawing(props: DrawingProps) {
  return (
    <Drawing {...props}>
      <g className={paper}>
        <rect x="26" y="15" width="44" height="60" rx="4" transform="rotate(-9 48 45)" />
        <rect x="58" y="15" width="44" height="60" rx="4" transform="rotate(9 80 45)" />
        <rect x="42" y="8" width="44" height="62" rx="4" />
      </g>
      <path d="M50 22h16" className="stroke-accent" strokeWidth="3" />
      <path d="M50 32h28M50 40h28M50 48h20" className={print} />
    </Drawing>
  )
}
