import { Drawing, type DrawingProps, paper, print } from '#web/ui/drawings/drawing.tsx'

/** A page that rises from a tray: nothing uploaded yet. */
export function TrayDrawing(props: DrawingProps) {
  return (
    <Drawing {...props}>
      <path d="M24 52h80v24a4 4 0 0 1-4 4H28a4 4 0 0 1-4-4z" className={paper} />
      <rect x="42" y="6" width="44" height="60" rx="4" className={paper} />
      <path d="M24 56h22c2 0 3 9 6 9h24c3 0 4-9 6-9h22v20a4 4 0 0 1-4 4H28a4 4 0 0 1-4-4z" className={paper} />
      <path d="M50 48h28" className={print} />
      <path d="M64 38V18M56 26l8-8 8 8" className="stroke-accent" strokeWidth="3" />
    </Drawing>
  )
}
