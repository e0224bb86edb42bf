import { documents } from '#shared/contract/documents.ts'
import { Visibility } from '#shared/enums.ts'
import { documentPath } from '#web/domain/paths.ts'
import { useCreditName } from '#web/domain/site.ts'
import { nextSteps } from '#web/features/documents/upload/first-upload/next-steps.ts'
import { countRows, type UploadItem } from '#web/features/documents/upload/row.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { SproutDrawing } from '#web/ui/drawings/sprout.tsx'

/** For a member whose first documents these are: what happens to them next, and what they earn. */
export function FirstUpload({ rows }: { rows: readonly UploadItem[] }) {
  const creditName = useCreditName()
  const { data } = useQuery('', () => api(documents.uploadAllowance))
  const { published, converting, inReview } = countRows(rows)
  const submitted = rows.filter(({ document }) => document !== undefined)
  const isPublic = submitted.every(({ audience }) => audience.visibility === Visibility.Public)
  const first = submitted[0]?.document
  if (!data) return null
  return (
    <section
      aria-label="第一份文档"
      className="flex animate-appear items-center gap-x-8 gap-y-4 rounded-lg border border-line bg-surface p-6 max-sm:flex-col"
    >
      <SproutDrawing className="w-36 shrink-0" />
      <output className="min-w-0 flex-1">
        <h2 className="text-lg">第一份文档，谢谢您</h2>
        <ul className="mt-2 space-y-1 text-sm text-muted">
          {nextSteps({ published, converting, inReview, isPublic }, data, creditName).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
      </output>
      {first && <ButtonLink to={documentPath(first)}>看看它</ButtonLink>}
    </section>
  )
}
