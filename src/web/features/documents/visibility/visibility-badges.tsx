import { Visibility, visibilityLabels } from '#shared/enums.ts'

/** Nothing for a document that everyone may see and download. */
export function VisibilityBadges({
  document: { visibility, downloadable },
}: {
  document: { visibility: Visibility; downloadable: boolean }
}) {
  return (
    <>
      {visibility !== Visibility.Public && (
        <span className={badgeClass}>
          <span className="sr-only">可见范围：</span>
          {visibilityLabels[visibility]}
        </span>
      )}
      {!downloadable && <span className={badgeClass}>仅在线阅读</span>}
    </>
  )
}

const badgeClass = 'rounded-sm bg-sunken px-1.5 py-0.5 text-xs font-medium whitespace-nowrap text-muted'
