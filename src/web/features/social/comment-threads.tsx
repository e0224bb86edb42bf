import { MessageSquare } from 'lucide-react'
import { useEffect, useState } from 'react'
import { CommentEntry } from '#web/features/social/comment-entry.tsx'
import { CommentThread } from '#web/features/social/comment-thread.tsx'
import { CommentsHeading, CommentRowsSkeleton } from '#web/features/social/comments-frame.tsx'
import { useThreads, type Subject, type Threads } from '#web/features/social/use-threads.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'

export function CommentThreads({ type, id, wanted }: Subject & { wanted: number }) {
  const threads = useThreads({ type, id }, wanted)
  const isSettled = threads.isLoaded && !threads.isSeeking
  useEffect(() => {
    if (isSettled) settle(wanted)
  }, [isSettled, wanted])
  return (
    <>
      <CommentsHeading count={threads.shown} />
      <div className="mt-4">
        <CommentEntry subject={{ type, id }} onPosted={threads.add} />
      </div>
      <ThreadList subject={{ type, id }} threads={threads} wanted={wanted} />
    </>
  )
}

/** Who has jumped here did so while the page was shorter. */
function settle(wanted: number): void {
  const section = document.getElementById('comments')
  if (section === document.activeElement) section?.scrollIntoView()
  document.getElementById(`comment-${wanted}`)?.scrollIntoView({ block: 'center' })
}

function ThreadList({ subject, threads, wanted }: { subject: Subject; threads: Threads; wanted: number }) {
  const [answering, setAnswering] = useState(0)
  const { isLoaded, isBusy, problem, total, more, now } = threads
  if (!isLoaded && problem === '') {
    return (
      <output aria-label="正在加载评论" className="block">
        <CommentRowsSkeleton />
      </output>
    )
  }
  if (!isLoaded) return <ErrorState message={problem} retry={more} busy={isBusy} />
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
              wanted={wanted}
              answering={answering}
              onAnswer={setAnswering}
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
          <Button busy={isBusy} onClick={more}>
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
