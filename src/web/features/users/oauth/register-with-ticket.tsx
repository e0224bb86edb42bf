import { CodeScene } from '#shared/enums.ts'
import { oauth } from '#shared/contract/oauth.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { PendingTicket } from '#web/features/users/oauth/pending-ticket.ts'
import { useCaptcha } from '#web/features/users/sign-in/captcha.ts'
import { CaptchaField } from '#web/features/users/sign-in/captcha-field.tsx'
import { EmailCodeButton } from '#web/features/users/sign-in/codes/email-code-button.tsx'
import { api } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { useSite } from '#web/domain/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { PasswordField } from '#web/ui/forms/password-input.tsx'

interface RegisterWithTicketProps {
  ticket: PendingTicket
  onRegistered: (reply: Reply<typeof oauth.bind>) => Promise<void>
}

/** A name is all that is needed; an address the provider has verified needs no code. */
export function RegisterWithTicket({ ticket, onRegistered }: RegisterWithTicketProps) {
  const isVerified = useSite().settings.security.enable_verify_register_email
  const captcha = useCaptcha('register')
  const form = useForm({
    initial: { username: suggestName(ticket.name), email: ticket.email, code: '', captcha: '', password: '' },
    schema: oauth.bind.input,
    required: { username: '请输入用户名', ...(isVerified && { email: '请输入邮箱' }) },
    reasons: {
      'users.nameTaken': 'username',
      'users.nameLength': 'username',
      'users.nameReserved': 'username',
      'users.nameLooksLikeAddress': 'username',
      'users.nameHasOddCharacters': 'username',
      'users.emailTaken': 'email',
      'oauth.emailNeeded': 'email',
      'users.codeWrong': 'code',
      'users.passwordTooShort': 'password',
      'users.passwordCommon': 'password',
      'users.passwordNamed': 'password',
    },
    submit: async ({ username, email, code, password }) => {
      const input = { session: ticket.session, register: true, username, email, code, password }
      await onRegistered(await api(oauth.bind, input))
    },
  })
  const needsCode = isVerified && form.values.email.trim().toLowerCase() !== ticket.email.toLowerCase()
  return (
    <form {...form.frame} className="space-y-4">
      <TextField
        label="用户名"
        {...form.field('username')}
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={32}
        help="3 到 32 个字符"
      />
      <TextField
        label={isVerified ? '邮箱' : '邮箱（可以不填）'}
        {...form.field('email')}
        type="email"
        autoComplete="email"
        maxLength={64}
      />
      {needsCode && (
        <>
          <CaptchaField captcha={captcha} field={form.field('captcha')} />
          <TextField
            label="邮箱验证码"
            {...form.field('code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={16}
            beside={
              <EmailCodeButton
                email={form.values.email}
                scene={CodeScene.Register}
                captcha={captcha}
                answer={form.values.captcha}
                onUsed={() => {
                  form.change('captcha', '')
                  void captcha.replace()
                }}
              />
            }
          />
        </>
      )}
      <PasswordField
        label="密码（可以不填）"
        {...form.field('password')}
        autoComplete="new-password"
        maxLength={128}
        help="不填就只用第三方账号登录，以后也可以设置"
      />
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <Button type="submit" variant="primary" size="lg" wide busy={form.busy} disabled={!form.ready}>
        注册并绑定
      </Button>
    </form>
  )
}

/** Without what names here may not contain. */
function suggestName(name: string): string {
  return name.replace(/[^\p{Script=Han}A-Za-z0-9_.-]/gu, '').slice(0, 32)
}
