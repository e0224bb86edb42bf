import { Suspense } from 'react'
import { secondFactor } from '#shared/contract/account-security.ts'
import { api } from '#web/lib/api.ts'
import { copyText } from '#web/lib/browser/copy-text.ts'
import { useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

const Code = lazyPart(async () => (await import('#web/ui/qr-code.tsx')).QrCode)

interface TotpDialogProps {
  secret: string
  uri: string
  onConfirmed: (codes: string[]) => void
  onClose: () => void
}

/** The secret for an authenticator app, and a field for the first code of it. */
export function TotpDialog({ secret, uri, onConfirmed, onClose }: TotpDialogProps) {
  const form = useForm({
    initial: { code: '' },
    schema: secondFactor.confirm.input,
    required: { code: '请输入验证码' },
    reasons: { 'security.codeWrong': 'code' },
    submit: async ({ code }) => onConfirmed((await api(secondFactor.confirm, { code })).recovery_code),
  })
  const copy = async () => {
    const isCopied = await copyText(secret)
    toast(isCopied ? '密钥已复制' : '没有复制成功，请手动输入', isCopied ? 'success' : 'danger')
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="绑定验证器"
      description="用验证器 App 扫描二维码，再输入它显示的六位数字。"
    >
      <div className="mx-auto mt-4 size-48">
        <Suspense fallback={<span className="block aspect-square" />}>
          <Code content={uri} />
        </Suspense>
      </div>
      <p className="mt-3 text-center text-sm text-muted">不能扫描时，在 App 里输入密钥：</p>
      <p className="mt-1 text-center text-sm">
        <code className="break-all select-all">{secret.match(/.{1,4}/g)?.join(' ')}</code>
        <button
          type="button"
          onClick={() => void copy()}
          className="min-h-9 px-2 font-medium text-accent hover:underline"
        >
          复制
        </button>
      </p>
      <form {...form.frame} className="mt-3 space-y-4">
        <TextField
          label="验证码"
          {...form.field('code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={16}
        />
        {form.problem && <Notice tone="danger">{form.problem}</Notice>}
        <div className="flex justify-end gap-3">
          <Button onClick={onClose}>取消</Button>
          <Button type="submit" variant="primary" busy={form.busy}>
            完成绑定
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
