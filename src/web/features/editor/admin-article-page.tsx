import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { EditorSkeleton } from '#web/features/editor/editor-skeleton.tsx'
import { LazyEditor } from '#web/features/editor/lazy-editor.tsx'
import type { EditorData } from '#web/features/editor/load-editor.ts'
import { ReviewPanel } from '#web/features/editor/review-panel.tsx'
import { hasPermission, useSession } from '#web/lib/session.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'

const listPath = '/admin/article/list'

/** The editor of the admin, with the review panel. */
export function AdminArticlePage({ article, categories }: EditorData) {
  const session = useSession()
  const navigate = useNavigate()
  const back = () => void navigate(listPath)
  if (!hasPermission(session, article ? 'ArticleAPI/UpdateArticle' : 'ArticleAPI/CreateArticle')) {
    return <EmptyState title="没有权限">您没有{article ? '修改' : '新增'}文章的权限，需要时请联系管理员。</EmptyState>
  }
  return (
    <Suspense fallback={<EditorSkeleton />}>
      <LazyEditor
        key={`${session.user.id} ${article?.id ?? 0}`}
        user={session.user.id}
        article={article}
        categories={categories}
        onSaved={back}
      >
        {article && hasPermission(session, 'ArticleAPI/CheckArticles') && (
          <ReviewPanel article={article} onDone={back} />
        )}
      </LazyEditor>
    </Suspense>
  )
}
