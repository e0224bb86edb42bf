import { useEffect, useId, useRef, type KeyboardEvent } from 'react'
import { comments, longestComment, type Comment } from '#shared/contract/social.ts'
import type { Subject } from '#web/features/social/use-threads.ts'
import { api } from '#web/lib/api.ts'
import { useCaptcha } from '#web/lib/captcha.ts'
import { useForm } from '#web/lib/form.ts'
import { currentSession } from '#web/lib/session.ts'
import { perTab } from '#web/lib/storage.ts'
import { Button } from '#web/ui/button.tsx'
import { CaptchaField } from '#web/ui/captcha-field.tsx'
import { cx } from '#web/ui/class-names.ts'
import { controlClass } from '#web/ui/input.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'

interface CommentFormProps {
  subject: Subject
  /** What is answered. */
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
      draft.forget()
      form.change('content', '')
      renewCaptcha()
      toast(comment.status === 1 ? '评论已发表' : '评论已提交，审核通过后其他人才能看到')
      onPosted(comment)
    },
    failed: () => renewCaptcha(),
  })
  const renewCaptcha = () => {
    form.change('captcha', '')
    void captcha.renew()
  }
  const { content } = form.values
  const length = content.trim().length
  const over = length - longestComment
  return (
    <form {...form.frame} className="space-y-2.5">
      <Writing
        field={form.field('content')}
        label={parent ? `回复 ${parent.user.username}` : '写评论'}
        over={over}
        takesFocus={parent !== undefined}
        readOnly={form.busy}
        onTyped={draft.write}
        onLeave={onCancel}
      />
      {captcha.needed && (content !== '' || form.values.captcha !== '') && (
        <div className="max-w-sm">
          <CaptchaField captcha={captcha} field={form.field('captcha')} />
        </div>
      )}
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <div className="flex items-center justify-end gap-3">
        <span className={cx('mr-auto text-xs tabular-nums', over > 0 ? 'text-danger' : 'text-muted')}>
          {length}/{longestComment}
        </span>
        {onCancel && (
          <Button size="sm" look="quiet" onClick={onCancel}>
            取消
          </Button>
        )}
        <Button type="submit" look="primary" size={parent ? 'sm' : 'md'} busy={form.busy}>
          {parent ? '回复' : '发表评论'}
        </Button>
      </div>
    </form>
  )
}

interface WritingProps {
  field: {
    name: string
    value: string
    error: string | undefined
    onChange: (value: string) => void
    onBlur: () => void
  }
  label: string
  /** How much it is too long. */
  over: number
  takesFocus: boolean
  /** While it is sent: what would be added is not part of it. */
  readOnly: boolean
  onTyped: (text: string) => void
  onLeave: (() => void) | undefined
}

function Writing({ field, label, over, takesFocus, readOnly, onTyped, onLeave }: WritingProps) {
  const { error, onChange, ...rest } = field
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (takesFocus) box.current?.focus()
  }, [takesFocus])
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
    if (event.key === 'Escape' && field.value === '') onLeave?.()
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
        aria-invalid={error !== undefined || over > 0 || undefined}
        placeholder={`${label}…`}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          onChange(event.target.value)
          onTyped(event.target.value)
        }}
        className={cx(controlClass, 'block field-sizing-content max-h-80 min-h-24 py-2.5 leading-relaxed')}
      />
      <p id={id} aria-live="polite" className="text-sm text-danger not-empty:mt-1.5">
        {over > 0 ? `超出 ${over} 个字，请删减` : error}
      </p>
    </div>
  )
}

/** What one has begun to write outlives a login that has run out, and a look at another page. */
function useDraft({ type, id }: Subject, parent: number) {
  const key = `comment ${currentSession().user.id} ${type} ${id} ${parent}`
  return {
    read: () => perTab.read(key) ?? '',
    write: (text: string) => (text === '' ? perTab.remove(key) : void perTab.write(key, text)),
    forget: () => perTab.remove(key),
  }
}
