import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { invitations } from '#shared/contract/invitations.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatTime } from '#shared/format.ts'
import { completeSignIn } from '#web/features/users/sign-in/complete-sign-in.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { PasswordField } from '#web/ui/forms/password-input.tsx'

type Invitation = Reply<typeof invitations.look>

/** The invited visitor sees who invites him and as what, and chooses name and password. */
export function InvitationForm({ token }: { token: string }) {
  const [invitation, setInvitation] = useState<Invitation>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    api(invitations.look, { token }).then(setInvitation, (error: unknown) =>
      setProblem(errorMessage(error, '邀请没有加载成功，请稍后刷新页面')),
    )
  }, [token])
  if (problem) {
    return (
      <div className="space-y-5">
        <Notice tone="danger">{problem}</Notice>
        <ButtonLink to="/" wide size="lg">
          回到首页
        </ButtonLink>
      </div>
    )
  }
  return invitation ? <AcceptForm token={token} invitation={invitation} /> : <SkeletonRows count={4} />
}

function AcceptForm({ token, invitation }: { token: string; invitation: Invitation }) {
  const navigate = useNavigate()
  const { username, group, member_until, email, second_factor } = invitation
  const form = useForm({
    initial: { token, username: '', password: '', repeat: '' },
    schema: invitations.accept.input,
    required: { username: '请输入用户名', password: '请输入密码', repeat: '请再次输入密码' },
    reasons: {
      'users.nameTaken': 'username',
      'users.nameReserved': 'username',
      'users.nameLength': 'username',
      'users.nameLooksLikeAddress': 'username',
      'users.nameHasOddCharacters': 'username',
      'users.passwordCommon': 'password',
      'users.passwordNamed': 'password',
    },
    check: (values) => (values.password === values.repeat ? {} : { repeat: '两次输入的密码不一致' }),
    submit: async (values) => {
      await completeSignIn(await api(invitations.accept, values))
      await navigate(second_factor ? '/me/security' : '/', { replace: true })
    },
  })
  return (
    <form {...form.frame} className="space-y-4">
      <Notice>
        {username} 邀请您加入“{group.join('”“')}”{member_until !== null && `，到 ${formatTime(member_until)}`}。
        {email && `账号的邮箱是 ${email}。`}
        {second_factor && '网站要求管理人员开启两步验证，登录后请先开启。'}
      </Notice>
      <TextField
        label="用户名"
        {...form.field('username')}
        autoComplete="username"
        maxLength={32}
        help="3 到 32 个字符，不能是邮箱或手机号的样式"
      />
      <PasswordField
        label="密码"
        {...form.field('password')}
        autoComplete="new-password"
        maxLength={128}
        help="至少 8 个字符，不能是常见的密码"
      />
      <PasswordField label="确认密码" {...form.field('repeat')} autoComplete="new-password" maxLength={128} />
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <Button type="submit" variant="primary" size="lg" wide busy={form.busy} disabled={!form.ready}>
        接受邀请
      </Button>
    </form>
  )
}
