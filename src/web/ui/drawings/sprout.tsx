import { Drawing, type DrawingProps, leaf, paper, print } from '#web/ui/drawings/drawing.tsx'

/** A bean that sprouts from an open book. */
export function SproutDrawing(props: DrawingProps) {
  return (
    <Drawing {...props}>
      <path d="M64 80c-9-7-25-9-48-7V41c23-2 39 0 48 7z" className={paper} />
      <path d="M64 80c9-7 25-9 48-7V41c-23-2-39 0-48 7z" className={paper} />
      <path
        d="M26 51c10-.5 19 .5 27 3M26 60c10-.5 19 .5 27 3M102 51c-10-.5-19 .5-27 3M102 60c-10-.5-19 .5-27 3"
        className={print}
      />
      <path d="M64 48c1-11 0-18-1-25" className="stroke-accent [stroke-width:2]" />
      <path d="M63 27C52 28 44 22 43 10c11-1 19 5 20 17zM63 23c1-10 8-16 18-16 1 10-7 17-18 16z" className={leaf} />
    </Drawing>
  )
}
