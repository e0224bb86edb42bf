import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { DeskSkeleton } from '#web/features/editor/desk-skeleton.tsx'
import { LazyDesk } from '#web/features/editor/lazy-desk.tsx'
import type { Desk } from '#web/features/editor/load-desk.ts'
import { mayEdit, mayWrite } from '#web/features/editor/rights.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** Writing for members: a new article, or one's own. */
export function PostPage({ article, categories }: Desk) {
  const session = useSession()
  const navigate = useNavigate()
  // On the way to the login page, or back.
  if (!isSignedIn(session)) return <DeskSkeleton />
  if (article ? !mayEdit(session, article) : !mayWrite(session)) {
    return (
      <EmptyState
        title={article ? '只能修改自己的文章' : '您还不能发布文章'}
        action={<ButtonLink to="/article">浏览文章</ButtonLink>}
      >
        {article ? '这篇文章是别人写的。' : '您所在的用户组没有发布文章的权限，需要时请联系管理员。'}
      </EmptyState>
    )
  }
  return (
    <Suspense fallback={<DeskSkeleton />}>
      <LazyDesk
        key={`${session.user.id} ${article?.id ?? 0}`}
        user={session.user.id}
        article={article}
        categories={categories}
        onSaved={(identifier) => void navigate(`/article/${encodeURIComponent(identifier)}`)}
      />
    </Suspense>
  )
}
