import { Drawing, type DrawingProps, leaf, paper, print } from '#web/ui/drawings/drawing.tsx'

/** A page under a magnifying glass, which shows a leaf: a search without hits. */
export function SearchDrawing(props: DrawingProps) {
  return (
    <Drawing {...props}>
      <rect x="28" y="8" width="50" height="68" rx="4" className={paper} />
      <path d="M37 22h20M37 32h32M37 42h24M37 52h18M37 62h24" className={print} />
      <path d="m94 62 14 15" className="stroke-edge" strokeWidth="5" />
      <circle cx="82" cy="49" r="19" className={paper} strokeWidth="2.5" />
      <path d="M74 58c-3-11 3-20 17-20 1 13-6 20-17 20zM71 62l10-12" className={leaf} />
    </Drawing>
  )
}
