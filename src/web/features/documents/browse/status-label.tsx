import { standingOf, type Tone } from '#web/features/documents/browse/status-words.ts'

/** How a document stands, with the reason if something is wrong. */
export function StatusLabel({
  document,
}: {
  document: { status: number; convert_error?: string; reject_reason?: string }
}) {
  const { tone, word, why } = standingOf(document)
  if (word === '') return null
  return (
    <p className="mt-1.5 text-sm">
      <span className={`rounded-sm px-1.5 py-0.5 text-xs font-medium whitespace-nowrap ${looks[tone]}`}>{word}</span>
      {why !== '' && <span className="ml-2 text-danger">{why}</span>}
    </p>
  )
}

const looks: Record<Tone, string> = {
  good: 'bg-accent-soft text-accent',
  waiting: 'bg-warning-soft text-warning',
  bad: 'bg-danger-soft text-danger',
}
