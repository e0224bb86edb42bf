import { useId, useState } from 'react'
import { type DeletionPreview, privacy } from '#shared/contract/privacy.ts'
import { formatTime } from '#shared/format.ts'
import { renameDays } from '#shared/names.ts'
import { creditNameOf, useSite } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { PasswordField } from '#web/ui/forms/password-input.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface DeletionDialogProps {
  preview: DeletionPreview
  onClose: () => void
  onRequested: () => Promise<void>
}

/** Tells everything that happens, and asks for what becomes of the content and for the password. */
export function DeletionDialog({ preview, onClose, onRequested }: DeletionDialogProps) {
  const [keeps, setKeeps] = useState(true)
  const hasContent = preview.document_count + preview.article_count > 0
  const form = useForm({
    initial: { password: '' },
    schema: privacy.requestDeletion.input,
    required: preview.has_password ? { password: '请输入登录密码' } : {},
    reasons: { 'users.ownPasswordWrong': 'password' },
    submit: async ({ password }) => {
      await api(privacy.requestDeletion, { password, keep_content: keeps })
      toast(preview.days > 0 ? `已申请注销，${preview.days} 天内可以取消` : '已申请注销')
      await onRequested()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !form.busy && onClose()}
      title="注销账号"
      description="注销后无法恢复，请先看清楚会发生什么。"
    >
      <form {...form.frame} className="mt-4 space-y-4">
        <Consequences preview={preview} />
        {hasContent && <ContentChoice preview={preview} keeps={keeps} onChange={setKeeps} />}
        {preview.has_password && (
          <PasswordField
            label="登录密码"
            {...form.field('password')}
            autoComplete="current-password"
            maxLength={128}
            help="确认是您本人"
          />
        )}
        {form.problem && <Notice tone="danger">{form.problem}</Notice>}
        <div className="flex justify-end gap-3">
          <Button onClick={onClose} disabled={form.busy}>
            先不注销
          </Button>
          <Button type="submit" variant="danger" busy={form.busy}>
            申请注销
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Consequences({ preview }: { preview: DeletionPreview }) {
  const creditName = creditNameOf(useSite())
  const { days, credit_count, vip_until, open_order_count, comment_count } = preview
  const points = [
    days > 0
      ? `提交后等待 ${days} 天才会删除；这期间重新登录，或点“取消注销”，就会取消。`
      : '提交后马上删除，不能取消。',
    `姓名、邮箱、手机号、头像等个人资料都会删除；邮箱和手机号可以重新注册，用户名 ${renameDays} 天内不能使用。`,
    '其他设备马上退出登录；收藏、文集、关注、动态、签到记录会删除。',
    comment_count > 0 && `您的 ${comment_count} 条评论会保留，作者显示为“已注销用户”。`,
    credit_count > 0 && `余额 ${credit_count} ${creditName}会清零，不退还。`,
    vip_until !== null && `VIP 还有效到 ${formatTime(vip_until)}，注销后失效，不退款。`,
    open_order_count > 0 && `有 ${open_order_count} 个订单还在等待付款或退款，处理完之后才会删除账号。`,
    '订单和账目依法保留，但不再有您的个人资料。',
  ].filter((point) => point !== false)
  return (
    <ul className="list-disc space-y-1 pl-5 text-sm">
      {points.map((point) => (
        <li key={point}>{point}</li>
      ))}
    </ul>
  )
}

function ContentChoice({
  preview,
  keeps,
  onChange,
}: {
  preview: DeletionPreview
  keeps: boolean
  onChange: (keeps: boolean) => void
}) {
  const { document_count, public_document_count, sold_document_count, article_count, public_article_count } = preview
  const sold = sold_document_count > 0 ? `其中 ${sold_document_count} 篇有人买过，删除后买家也不能再下载。` : ''
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">
        您的 {document_count} 篇文档和 {article_count} 篇文章
      </legend>
      <div className="space-y-2">
        <Choice
          checked={keeps}
          onChoose={() => onChange(true)}
          label="保留公开的"
          help={`${public_document_count} 篇文档、${public_article_count} 篇文章留在网站上，作者显示为“已注销用户”；其余删除。`}
        />
        <Choice
          checked={!keeps}
          onChoose={() => onChange(false)}
          label="全部删除"
          help={`包括原文件，以及别人对它们的评论和收藏。${sold}`}
        />
      </div>
    </fieldset>
  )
}

interface ChoiceProps {
  checked: boolean
  onChoose: () => void
  label: string
  help: string
}

function Choice({ checked, onChoose, label, help }: ChoiceProps) {
  const id = useId()
  return (
    <div className="flex gap-3 rounded-md border border-line p-3 has-checked:border-accent has-checked:bg-accent-soft">
      <input
        id={id}
        type="radio"
        name="content"
        checked={checked}
        onChange={onChoose}
        aria-describedby={`${id}-help`}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <label htmlFor={id} className="min-w-0 flex-1 text-sm">
        <span className="font-medium">{label}</span>
        <span id={`${id}-help`} className="mt-0.5 block text-muted">
          {help}
        </span>
      </label>
    </div>
  )
}
