import { Link } from 'react-router'
import type { Comment } from '#shared/contract/comments.ts'
import { CommentForm } from '#web/features/social/comments/comment-form.tsx'
import type { Subject } from '#web/features/social/favorites.ts'
import { useLoginLink } from '#web/domain/login-link.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { Avatar } from '#web/ui/avatar.tsx'

/** The form for a new comment, or the reason why there is none. */
export function CommentEntry({ subject, onPosted }: { subject: Subject; onPosted: (comment: Comment) => void }) {
  const session = useSession()
  const login = useLoginToComments(subject)
  if (!isSignedIn(session)) {
    return (
      <p className={cardClass}>
        <Link {...login} className="font-medium text-accent hover:underline">
          登录后评论
        </Link>
      </p>
    )
  }
  if (!canComment(session.groups)) return <p className={cardClass}>您所在的用户组没有评论的权限</p>
  return (
    <div className="flex gap-3">
      <span className="max-sm:hidden">
        <Avatar src={session.user.avatar} size={36} />
      </span>
      <div className="min-w-0 flex-1">
        <CommentForm subject={subject} onPosted={onPosted} />
      </div>
    </div>
  )
}

/** The login page, which leads back to the comments. */
export function useLoginToComments({ id }: Pick<Subject, 'id'>) {
  return useLoginLink({ asked: 'comment', id, why: '登录后即可发表评论', hash: '#comments' })
}

/** While the groups are not loaded yet, the server decides. */
export function canComment(groups: readonly { enable_comment: boolean }[]): boolean {
  return groups.length === 0 || groups.some(({ enable_comment }) => enable_comment)
}

const cardClass =
  'flex min-h-20 items-center justify-center rounded-md border border-line bg-surface px-4 text-center text-sm text-muted'
