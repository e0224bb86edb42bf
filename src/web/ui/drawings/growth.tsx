import { Drawing, type DrawingProps, leaf, paper } from '#web/ui/drawings/drawing.tsx'

/** A bean in its pot. Its leaves open one pair after the other; from the third stage on it is full-grown. */
export function GrowthDrawing({ stage, ...props }: DrawingProps & { stage: number }) {
  return (
    <Drawing {...props}>
      <path d="M46 62h36l-4 20H50z" className={paper} />
      <path d="M42 55h44v8H42z" className={paper} />
      <path d={stems[Math.min(stage, stems.length - 1)]} className="stroke-accent" strokeWidth="2" />
      {leaves.slice(0, stage).map((d, index) => (
        <path
          key={d}
          d={d}
          className={`${leaf} origin-bottom animate-rise [animation-fill-mode:backwards]`}
          style={{ animationDelay: `${200 + index * 250}ms` }}
        />
      ))}
    </Drawing>
  )
}

const stems = ['', 'M64 55c1-6 0-9 0-13', 'M64 55c1-14 0-20 0-27', 'M64 55c1-20 0-30 0-42']

const leaves = [
  'M64 46c-10 1-16-4-17-13 10-1 16 4 17 13zM64 43c1-8 6-12 15-12 1 8-6 13-15 12z',
  'M64 33c-11 1-19-4-20-14 12-1 19 4 20 14zM64 30c1-10 8-15 19-15 0 10-8 16-19 15z',
  'M64 20C57 18 55 10 60 2c7 4 9 11 4 18zM64 24c-9-2-14-8-13-16 8 1 13 7 13 16zM64 23c0-9 5-15 14-15 0 8-5 14-14 15z',
]
