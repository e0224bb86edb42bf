import { Drawing, type DrawingProps, paper } from '#web/ui/drawings/drawing.tsx'

/** A plug out of its socket: no connection, or an error. */
export function CordDrawing(props: DrawingProps) {
  return (
    <Drawing {...props}>
      <path d="M4 70c22 2 14-26 32-26" className="stroke-edge" strokeWidth="2.5" />
      <path d="M36 32h10a12 12 0 0 1 0 24H36z" className={paper} />
      <path d="M58 38h8M58 50h8" className="stroke-edge" strokeWidth="3" />
      <path d="M92 32H82a12 12 0 0 0 0 24h10z" className={paper} />
      <path d="M92 44c18 0 10 26 32 24" className="stroke-edge" strokeWidth="2.5" />
      <path d="M70 24V14M60 26l-5-8M80 26l5-8" className="stroke-accent" strokeWidth="2.5" />
    </Drawing>
  )
}
