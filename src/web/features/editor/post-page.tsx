import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { canPublish } from '#web/domain/contributions.ts'
import { EditorSkeleton } from '#web/features/editor/editor-skeleton.tsx'
import { LazyEditor } from '#web/features/editor/lazy-editor.tsx'
import type { EditorData } from '#web/features/editor/load-editor.ts'
import { canEdit } from '#web/features/editor/rights.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'

/** The editor for members: a new article, or one of their own. */
export function PostPage({ article, draft, categories }: EditorData) {
  const session = useSession()
  const navigate = useNavigate()
  // The route guard is redirecting to the login page.
  if (!isSignedIn(session)) return <EditorSkeleton />
  if (article ? !canEdit(session, article) : !canPublish(session)) {
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
    <Suspense fallback={<EditorSkeleton />}>
      <LazyEditor
        key={`${session.user.id} ${article?.id ?? 0} ${draft?.id ?? 0}`}
        user={session.user.id}
        article={article}
        opened={draft}
        categories={categories}
        onSaved={(identifier) => void navigate(`/article/${encodeURIComponent(identifier)}`)}
      />
    </Suspense>
  )
}
