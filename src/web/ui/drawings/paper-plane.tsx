import { Drawing, type DrawingProps, leaf, paper } from '#web/ui/drawings/drawing.tsx'

/** A paper plane that lost its way: a page that does not exist. */
export function PaperPlaneDrawing(props: DrawingProps) {
  return (
    <Drawing {...props}>
      <path
        d="M8 78c20 3 42-3 46-18 3-12-12-16-16-6-4 11 10 16 20 10 6-3 10-8 14-14"
        className="stroke-edge"
        strokeWidth="2"
        strokeDasharray="1 6"
      />
      <path d="M116 10 62 34l18 8z" className={paper} />
      <path d="M116 10 80 42l2 26z" className={leaf} />
      <path d="M80 42l2 26 8-14" className={paper} />
    </Drawing>
  )
}
