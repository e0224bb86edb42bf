import { Drawing, type DrawingProps, leaf, paper, print } from '#web/ui/drawings/drawing.tsx'

/** A seed in the ground: a category that waits for its first document. */
export function SeedlingDrawing(props: DrawingProps) {
  return (
    <Drawing {...props}>
      <path
        d="M84 60V34M70 12h30a3 3 0 0 1 3 3v16a3 3 0 0 1-3 3H70a3 3 0 0 1-3-3V15a3 3 0 0 1 3-3z"
        className={paper}
      />
      <path d="M75 20h20M75 27h12" className={print} />
      <path d="M8 62c14-4 26 0 40-2s28-4 40-1 22 1 32 2v19a3 3 0 0 1-3 3H11a3 3 0 0 1-3-3z" className={paper} />
      <path d="M20 74h8M66 77h10M98 71h8" className={print} />
      <path d="M43 66c-1-10 0-15 1-21" className="stroke-accent" strokeWidth="2" />
      <path d="M44 48c-8 0-13-4-13-12 8 0 13 4 13 12zM44 46c0-7 4-11 12-11 0 7-5 12-12 11z" className={leaf} />
      <ellipse cx="43" cy="71" rx="6" ry="4.5" className={leaf} />
    </Drawing>
  )
}
