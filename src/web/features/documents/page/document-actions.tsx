import { Suspense } from 'react'
import type { Document } from '#shared/contract/documents.ts'
import { ContentType, Visibility } from '#shared/enums.ts'
import { useSite } from '#web/domain/site.ts'
import type { Editable } from '#web/features/documents/document-edit-dialog.tsx'
import { CollectButton } from '#web/features/social/collect/collect-button.tsx'
import { CommentsLink } from '#web/features/social/comments/comments-link.tsx'
import { FavoriteButton } from '#web/features/social/favorite-button.tsx'
import { ShareButton } from '#web/features/social/share/share-button.tsx'
import { ReportButton } from '#web/features/social/report-button.tsx'
import { hasPermission, isSignedIn, useSession } from '#web/lib/session.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

// Only owners and staff load it.
const OwnerActions = lazyPart(async () => (await import('#web/features/documents/page/owner-actions.tsx')).OwnerActions)

// Only reviewers load it.
const ReviewActions = lazyPart(
  async () => (await import('#web/features/documents/page/review-actions.tsx')).ReviewActions,
)

type Subject = Pick<Document, 'id' | 'user_id' | 'favorite_count'>
type Shared = Pick<Document, 'uuid' | 'title' | 'cover' | 'pages' | 'visibility'>

interface DocumentActionsProps {
  document: Subject &
    Shared &
    Editable &
    Pick<Document, 'comment_count' | 'status' | 'reject_reason' | 'attachment' | 'ext' | 'size'>
  onChanged: () => void
}

/** Below the title: for readers, and for owners and staff. */
export function DocumentActions({ document, onChanged }: DocumentActionsProps) {
  const session = useSession()
  const own = useIsOwn(document)
  const canEdit = own || hasPermission(session, 'DocumentAPI/UpdateDocument')
  const canDelete = own || hasPermission(session, 'DocumentAPI/DeleteDocument')
  return (
    <>
      <CommentsLink count={document.comment_count}>
        评论{document.comment_count > 0 && ` ${document.comment_count}`}
      </CommentsLink>
      <ShareDocument document={document} />
      <CollectButton type={ContentType.Document} id={document.id} size="sm" variant="quiet" />
      <FavoriteAndReport document={document} size="sm" variant="quiet" />
      {hasPermission(session, 'DocumentAPI/CheckDocument') && (
        <Suspense>
          <ReviewActions document={document} onChanged={onChanged} />
        </Suspense>
      )}
      {(canEdit || canDelete) && (
        <Suspense>
          <OwnerActions
            document={document}
            canEdit={canEdit}
            canDelete={canDelete}
            afterDelete={own ? '/me/document' : '/category'}
            onChanged={onChanged}
          />
        </Suspense>
      )}
    </>
  )
}

/** Small and quiet below the title. */
export function ShareDocument({
  document,
  ...style
}: {
  document: Shared
  size?: 'sm' | 'md'
  variant?: 'plain' | 'quiet'
}) {
  return <ShareButton document={{ ...document, isPublic: document.visibility === Visibility.Public }} {...style} />
}

interface FavoriteAndReportProps {
  document: Subject
  size?: 'sm' | 'md'
  variant?: 'plain' | 'quiet'
}

/** Owners do not report their own documents. */
export function FavoriteAndReport({ document, size = 'md', variant = 'plain' }: FavoriteAndReportProps) {
  const { show_document_favorite_count } = useSite().settings.display
  const count = show_document_favorite_count ? document.favorite_count : undefined
  const own = useIsOwn(document)
  return (
    <>
      <FavoriteButton type={ContentType.Document} id={document.id} count={count} size={size} variant={variant} />
      {!own && <ReportButton id={document.id} size={size} />}
    </>
  )
}

function useIsOwn({ user_id }: { user_id: number }): boolean {
  const session = useSession()
  return isSignedIn(session) && session.user.id === user_id
}
