import * as z from 'zod/mini'
import { documentShares } from '#shared/contract/document-shares.ts'
import { openShare } from '#web/features/documents/visibility/load-share.ts'
import { useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { PasswordField } from '#web/ui/forms/password-input.tsx'

/** Asks for the password of a share link. */
export function SharePassword({ token, onOpened }: { token: string; onOpened: () => void }) {
  const form = useForm({
    initial: { password: '' },
    schema,
    required: { password: '请输入密码' },
    reasons: { 'shares.passwordWrong': 'password' },
    submit: async ({ password }) => {
      await openShare(token, password)
      onOpened()
    },
  })
  return (
    <Card title="这份文档需要密码" className="mx-auto max-w-md">
      <form {...form.frame} className="space-y-4">
        <p className="text-sm text-muted">请输入分享的人给您的密码。</p>
        <PasswordField label="密码" {...form.field('password')} autoComplete="off" maxLength={64} />
        {form.problem && <Notice tone="danger">{form.problem}</Notice>}
        <Button type="submit" variant="primary" busy={form.busy}>
          打开文档
        </Button>
      </form>
    </Card>
  )
}

const schema = z.pick(documentShares.open.input, { password: true })
