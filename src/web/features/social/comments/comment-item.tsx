import { ReviewStatus } from '#shared/enums.ts'
import { useRef, type ReactNode, type Ref } from 'react'
import { Link } from 'react-router'
import type { Comment } from '#shared/contract/comments.ts'
import { formatRelative, formatTime } from '#shared/format.ts'
import { canComment, useLoginToComments } from '#web/features/social/comments/comment-entry.tsx'
import { CommentForm } from '#web/features/social/comments/comment-form.tsx'
import type { Subject } from '#web/features/social/favorites.ts'
import { hasPermission, isSignedIn, useSession } from '#web/lib/session.ts'
import { errorMessage } from '#web/lib/api.ts'
import { VipBadge } from '#web/features/users/vip-badge.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { cx } from '#web/ui/class-names.ts'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

export interface CommentHandlers {
  subject: Subject
  now: number
  /** The comment that the address links to; 0 for none. */
  linkedId: number
  /** The comment with the open reply form; 0 for none. */
  replyingTo: number
  onReply: (id: number) => void
  onPosted: (comment: Comment) => void
  onDelete: (comment: Comment) => Promise<void>
}

interface CommentItemProps extends CommentHandlers {
  comment: Comment
  /** The reply that this one replies to. */
  to?: Comment | undefined
}

export function CommentItem({ comment, to, now, linkedId, ...handlers }: CommentItemProps) {
  const { user, is_deleted, status, content, created_at, parent_id } = comment
  if (is_deleted) return <p className="py-1 text-sm text-muted">该评论已删除</p>
  return (
    <article
      id={`comment-${comment.id}`}
      className={cx('flex gap-3', linkedId === comment.id && 'rounded-md bg-accent-soft outline-8 outline-accent-soft')}
    >
      <AuthorAvatar user={user} size={parent_id === 0 ? 36 : 28} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2.5 text-sm">
          <AuthorName user={user} />
          <VipBadge isVip={user.is_vip} />
          {created_at !== null && (
            <time
              dateTime={new Date(created_at).toISOString()}
              title={formatTime(created_at)}
              className="text-xs text-muted"
            >
              {formatRelative(created_at, now)}
            </time>
          )}
          <ReviewBadge status={status} ownerId={comment.user_id} />
        </p>
        <p className="mt-1 leading-relaxed break-words whitespace-pre-wrap">
          {to && (
            <>
              <span className="text-muted">回复 </span>
              {to.is_deleted ? <span className="text-muted">@已删除</span> : <AuthorName user={to.user} at />}
              <span className="text-muted">：</span>
            </>
          )}
          {content}
        </p>
        <CommentActions comment={comment} {...handlers} />
      </div>
    </article>
  )
}

function CommentActions({
  comment,
  subject,
  replyingTo,
  onReply,
  onPosted,
  onDelete,
}: Omit<CommentItemProps, 'to' | 'now' | 'linkedId'>) {
  const opener = useRef<HTMLButtonElement>(null)
  const session = useSession()
  const own = isSignedIn(session) && comment.user_id === session.user.id
  const canDelete = own || hasPermission(session, 'CommentAPI/DeleteComment')
  const isReplying = replyingTo === comment.id
  const close = () => {
    onReply(0)
    opener.current?.focus()
  }
  return (
    <>
      <div className="mt-0.5 -ml-2 flex">
        {comment.status === ReviewStatus.Approved && (
          <ReplyButton
            subject={subject}
            opener={opener}
            isOpen={isReplying}
            onClick={() => onReply(isReplying ? 0 : comment.id)}
          />
        )}
        {canDelete && <DeleteButton comment={comment} own={own} onDelete={onDelete} />}
      </div>
      {isReplying && (
        <div className="mt-2">
          <CommentForm
            subject={subject}
            parent={comment}
            onCancel={close}
            onPosted={(posted) => {
              onPosted(posted)
              close()
            }}
          />
        </div>
      )}
    </>
  )
}

function ReplyButton({
  subject,
  opener,
  isOpen,
  onClick,
}: {
  subject: Subject
  opener: Ref<HTMLButtonElement>
  isOpen: boolean
  onClick: () => void
}) {
  const session = useSession()
  const login = useLoginToComments(subject)
  if (!isSignedIn(session)) {
    return (
      <Link {...login} className={actionClass}>
        回复
      </Link>
    )
  }
  if (!canComment(session.groups)) return null
  return (
    <button ref={opener} type="button" aria-expanded={isOpen} onClick={onClick} className={actionClass}>
      回复
    </button>
  )
}

function DeleteButton({
  comment,
  own,
  onDelete,
}: { comment: Comment; own: boolean } & Pick<CommentHandlers, 'onDelete'>) {
  const remove = async () => {
    try {
      await onDelete(comment)
      toast('评论已删除')
    } catch (error) {
      toast(errorMessage(error, '删除没有成功，请稍后重试'), 'danger')
    }
  }
  return (
    <Confirm
      title={own ? '删除这条评论？' : `删除 ${comment.user.username} 的评论？`}
      description="删除后不能恢复。已有的回复会保留。"
      action="删除"
      danger
      onConfirm={remove}
      renderTrigger={(open) => (
        <button type="button" onClick={open} className={actionClass}>
          删除
        </button>
      )}
    />
  )
}

function ReviewBadge({ status, ownerId }: { status: ReviewStatus; ownerId: number }) {
  const { user } = useSession()
  if (status === ReviewStatus.Approved) return null
  const word = status === ReviewStatus.Pending ? '待审核' : '未通过审核'
  return (
    <span className="rounded-sm bg-warning-soft px-1.5 py-0.5 text-xs text-warning">
      {ownerId === user.id ? `${word}，只有您能看到` : word}
    </span>
  )
}

type Author = Comment['user']

function AuthorAvatar({ user, size }: { user: Author; size: number }) {
  const picture = <Avatar src={user.avatar} size={size} />
  if (user.id === 0) return picture
  return (
    <Link to={`/user/${user.id}`} tabIndex={-1} aria-hidden className="shrink-0 self-start">
      {picture}
    </Link>
  )
}

function AuthorName({ user, at = false }: { user: Author; at?: boolean }): ReactNode {
  const name = at ? `@${nameOf(user)}` : nameOf(user)
  if (user.id === 0) return <span className="text-muted">{name}</span>
  return (
    <Link to={`/user/${user.id}`} className={at ? 'text-accent hover:underline' : 'font-medium hover:text-accent'}>
      {name}
    </Link>
  )
}

function nameOf({ id, username }: Author): string {
  return id === 0 ? '已注销的用户' : username
}

const actionClass = 'inline-flex h-8 items-center rounded-md px-2 text-sm text-muted hover:text-accent'
