import { Suspense } from 'react'
import { useNavigate } from 'react-router'
import { DeskSkeleton } from '#web/features/editor/desk-skeleton.tsx'
import { LazyDesk } from '#web/features/editor/lazy-desk.tsx'
import type { Desk } from '#web/features/editor/load-desk.ts'
import { ReviewPanel } from '#web/features/editor/review-panel.tsx'
import { holds } from '#web/features/editor/rights.ts'
import { useSession } from '#web/lib/session.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

const list = '/admin/article/list'

/** The same desk for those who manage articles, with the judgement on what others wrote. */
export function AdminArticlePage({ article, categories }: Desk) {
  const session = useSession()
  const navigate = useNavigate()
  const back = () => void navigate(list)
  if (!holds(session, article ? 'UpdateArticle' : 'CreateArticle')) {
    return <EmptyState title="没有权限">您没有{article ? '修改' : '新增'}文章的权限，需要时请联系管理员。</EmptyState>
  }
  return (
    <Suspense fallback={<DeskSkeleton />}>
      <LazyDesk
        key={`${session.user.id} ${article?.id ?? 0}`}
        user={session.user.id}
        article={article}
        categories={categories}
        onSaved={back}
      >
        {article && holds(session, 'CheckArticles') && <ReviewPanel article={article} onDone={back} />}
      </LazyDesk>
    </Suspense>
  )
}
