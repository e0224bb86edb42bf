import { Drawing, type DrawingProps, leaf, paper, print } from '#web/ui/drawings/drawing.tsx'

/** An open book with its ribbon: nothing read yet. */
export function RibbonDrawing(props: DrawingProps) {
  return (
    <Drawing {...props}>
      <path d="M64 72c-9-7-26-9-50-7V19c24-2 41 0 50 7z" className={paper} />
      <path d="M64 72c9-7 26-9 50-7V19c-24-2-41 0-50 7z" className={paper} />
      <path
        d="M24 30c11-.5 21 .5 29 3M24 41c11-.5 21 .5 29 3M24 52c11-.5 21 .5 29 3M104 52c-4 0-8 0-11 .5"
        className={print}
      />
      <path d="M76 23.5v30l6-5 6 4.5V20.5c-4.5.5-8.5 1.5-12 3z" className={leaf} />
    </Drawing>
  )
}
