import { MessageSquare } from 'lucide-react'
import { useEffect, useState } from 'react'
import { CommentEntry } from '#web/features/social/comments/comment-entry.tsx'
import { CommentThread } from '#web/features/social/comments/comment-thread.tsx'
import { CommentsHeading, CommentRowsSkeleton } from '#web/features/social/comments/comments-frame.tsx'
import { useThreads, type Threads } from '#web/features/social/comments/use-threads.ts'
import type { Subject } from '#web/features/social/favorites.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'

export function CommentThreads({ type, id, linkedId }: Subject & { linkedId: number }) {
  const threads = useThreads({ type, id }, linkedId)
  const isComplete = threads.isLoaded && !threads.isSeeking
  useEffect(() => {
    if (isComplete) scrollAgain(linkedId)
  }, [isComplete, linkedId])
  return (
    <>
      <CommentsHeading count={threads.publicCount} />
      <div className="mt-4">
        <CommentEntry subject={{ type, id }} onPosted={threads.add} />
      </div>
      <ThreadList subject={{ type, id }} threads={threads} linkedId={linkedId} />
    </>
  )
}

/** A link to the comments was followed while the page was shorter. */
function scrollAgain(linkedId: number): void {
  const section = document.getElementById('comments')
  if (section === document.activeElement) section?.scrollIntoView()
  document.getElementById(`comment-${linkedId}`)?.scrollIntoView({ block: 'center' })
}

function ThreadList({ subject, threads, linkedId }: { subject: Subject; threads: Threads; linkedId: number }) {
  const [replyingTo, setReplyingTo] = useState(0)
  const { isLoaded, isBusy, problem, total, loadMore, now } = threads
  if (!isLoaded && problem === '') {
    return (
      <output aria-label="正在加载评论" className="block">
        <CommentRowsSkeleton />
      </output>
    )
  }
  if (!isLoaded) return <ErrorState message={problem} retry={loadMore} busy={isBusy} />
  if (threads.threads.length === 0) return <NoComments />
  const left = total - threads.threads.length
  return (
    <>
      <ul className="mt-2 divide-y divide-line">
        {threads.threads.map((thread) => (
          <li key={thread.id} className="py-5">
            <CommentThread
              subject={subject}
              thread={thread}
              now={now}
              linkedId={linkedId}
              replyingTo={replyingTo}
              onReply={setReplyingTo}
              onPosted={threads.add}
              onDelete={threads.remove}
            />
          </li>
        ))}
      </ul>
      {problem && (
        <p role="alert" className="mb-3 text-center text-sm text-danger">
          {problem}
        </p>
      )}
      {left > 0 && (
        <div className="flex justify-center">
          <Button busy={isBusy} onClick={loadMore}>
            {problem ? '重试' : '加载更多'}
          </Button>
        </div>
      )}
      <p aria-live="polite" className="sr-only">
        {left > 0 ? `已显示 ${threads.threads.length} 组评论，还有 ${left} 组` : '已显示全部评论'}
      </p>
    </>
  )
}

function NoComments() {
  return (
    <div className="flex flex-col items-center py-10 text-center text-muted">
      <MessageSquare size={32} strokeWidth={1.25} aria-hidden />
      <p className="mt-3 text-sm">还没有评论，来说第一句吧</p>
    </div>
  )
}
