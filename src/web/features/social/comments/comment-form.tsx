import { ReviewStatus } from '#shared/enums.ts'
import { useEffect, useId, useRef, type KeyboardEvent } from 'react'
import { comments, maxCommentLength, type Comment } from '#shared/contract/comments.ts'
import type { Subject } from '#web/features/social/favorites.ts'
import { api } from '#web/lib/api.ts'
import { useCaptcha } from '#web/features/users/sign-in/captcha.ts'
import { useForm } from '#web/lib/form.ts'
import { currentSession } from '#web/lib/session.ts'
import { perTab } from '#web/lib/browser/storage.ts'
import { Button } from '#web/ui/button.tsx'
import { CaptchaField } from '#web/features/users/sign-in/captcha-field.tsx'
import { cx } from '#web/ui/class-names.ts'
import { controlClass } from '#web/ui/forms/input.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface CommentFormProps {
  subject: Subject
  /** The comment that this one replies to. */
  parent?: Pick<Comment, 'id' | 'user'>
  onPosted: (comment: Comment) => void
  onCancel?: () => void
}

export function CommentForm({ subject, parent, onPosted, onCancel }: CommentFormProps) {
  const draft = useDraft(subject, parent?.id ?? 0)
  const captcha = useCaptcha('comment')
  const form = useForm({
    initial: { content: draft.read(), captcha: '' },
    schema: comments.create.input,
    required: { content: '请先写点什么', ...(captcha.needed && { captcha: '请输入验证码' }) },
    reasons: { 'captcha.needed': 'captcha', 'captcha.wrong': 'captcha' },
    submit: async (values) => {
      const comment = await api(comments.create, {
        ...values,
        document_id: subject.id,
        type: subject.type,
        parent_id: parent?.id ?? 0,
        captcha_id: captcha.id,
      })
      draft.remove()
      form.change('content', '')
      replaceCaptcha()
      toast(comment.status === ReviewStatus.Approved ? '评论已发表' : '评论已提交，审核通过后其他人才能看到')
      onPosted(comment)
    },
    failed: () => replaceCaptcha(),
  })
  const replaceCaptcha = () => {
    form.change('captcha', '')
    void captcha.replace()
  }
  const { content } = form.values
  const length = content.trim().length
  const excess = length - maxCommentLength
  return (
    <form {...form.frame} className="space-y-2.5">
      <CommentTextArea
        field={form.field('content')}
        label={parent ? `回复 ${parent.user.username}` : '写评论'}
        excess={excess}
        takesFocus={parent !== undefined}
        readOnly={form.busy}
        onTyped={draft.write}
        onEscape={onCancel}
      />
      {captcha.needed && (content !== '' || form.values.captcha !== '') && (
        <div className="max-w-sm">
          <CaptchaField captcha={captcha} field={form.field('captcha')} />
        </div>
      )}
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <div className="flex items-center justify-end gap-3">
        <span className={cx('mr-auto text-xs tabular-nums', excess > 0 ? 'text-danger' : 'text-muted')}>
          {length}/{maxCommentLength}
        </span>
        {onCancel && (
          <Button size="sm" variant="quiet" onClick={onCancel}>
            取消
          </Button>
        )}
        <Button type="submit" variant="primary" size={parent ? 'sm' : 'md'} busy={form.busy}>
          {parent ? '回复' : '发表评论'}
        </Button>
      </div>
    </form>
  )
}

interface CommentTextAreaProps {
  field: {
    name: string
    value: string
    error: string | undefined
    onChange: (value: string) => void
    onBlur: () => void
  }
  label: string
  /** The number of characters beyond the limit. */
  excess: number
  takesFocus: boolean
  /** While the comment is being sent. */
  readOnly: boolean
  onTyped: (text: string) => void
  onEscape: (() => void) | undefined
}

function CommentTextArea(props: CommentTextAreaProps) {
  const { field, label, excess, takesFocus, readOnly, onTyped, onEscape } = props
  const { error, onChange, ...rest } = field
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (takesFocus) box.current?.focus()
  }, [takesFocus])
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
    if (event.key === 'Escape' && field.value === '') onEscape?.()
  }
  return (
    <div>
      <textarea
        ref={box}
        {...rest}
        rows={3}
        readOnly={readOnly}
        aria-label={label}
        aria-describedby={id}
        aria-invalid={error !== undefined || excess > 0 || undefined}
        placeholder={`${label}…`}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          onChange(event.target.value)
          onTyped(event.target.value)
        }}
        className={cx(controlClass, 'block field-sizing-content max-h-80 min-h-24 py-2.5 leading-relaxed')}
      />
      <p id={id} aria-live="polite" className="text-sm text-danger not-empty:mt-1.5">
        {excess > 0 ? `超出 ${excess} 个字，请删减` : error}
      </p>
    </div>
  )
}

/** A draft for this tab: it survives an expired session and a visit to another page. */
function useDraft({ type, id }: Subject, parent: number) {
  const key = `comment ${currentSession().user.id} ${type} ${id} ${parent}`
  return {
    read: () => perTab.read(key) ?? '',
    write: (text: string) => (text === '' ? perTab.remove(key) : void perTab.write(key, text)),
    remove: () => perTab.remove(key),
  }
}
