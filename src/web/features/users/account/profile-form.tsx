import { useRevalidator } from 'react-router'
import type { User } from '#shared/contract/user.ts'
import { users } from '#shared/contract/users.ts'
import { formatTime } from '#shared/format.ts'
import { renameDays } from '#shared/names.ts'
import { refreshUser } from '#web/domain/account.ts'
import { profileErrorFields } from '#web/domain/profile-errors.ts'
import { api } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { IdentityField } from '#web/features/users/account/identity-field.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { TextArea } from '#web/ui/forms/textarea.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

export function ProfileForm({ user }: { user: User }) {
  const { revalidate } = useRevalidator()
  const form = useForm({
    initial: {
      username: user.username,
      realname: user.realname,
      identity: user.identity,
      email: user.email,
      mobile: user.mobile,
      address: user.address,
      signature: user.signature,
    },
    schema: users.profile.input,
    required: { username: '请输入登录用户名' },
    reasons: profileErrorFields,
    submit: async (values) => {
      await api(users.profile, values)
      await Promise.all([refreshUser(), revalidate()])
      toast('修改成功')
    },
  })
  const locked = '已设置，如需更换请联系管理员'
  const nameLockedUntil = user.username_locked_until
  return (
    <form {...form.frame} className="max-w-xl space-y-4">
      <TextField
        label="用户名"
        {...form.field('username')}
        readOnly={nameLockedUntil !== null}
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={32}
        help={
          nameLockedUntil === null
            ? `用于登录，${renameDays} 天内只能修改一次`
            : `用于登录，${formatTime(nameLockedUntil)} 之后可以再改`
        }
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <IdentityField
          label="真实姓名"
          {...form.field('realname')}
          autoComplete="name"
          maxLength={20}
          onReveal={({ realname }) => form.change('realname', realname)}
        />
        <IdentityField
          label="身份证号"
          {...form.field('identity')}
          autoComplete="off"
          maxLength={18}
          onReveal={({ identity }) => form.change('identity', identity)}
        />
        <TextField
          label="联系邮箱"
          {...form.field('email')}
          type="email"
          autoComplete="email"
          maxLength={64}
          disabled={user.email !== ''}
          help={user.email !== '' && (user.email_verified ? `可以用来登录；${locked}` : locked)}
        />
        <TextField
          label="手机号码"
          {...form.field('mobile')}
          type="tel"
          inputMode="numeric"
          autoComplete="tel-national"
          maxLength={11}
          disabled={user.mobile !== ''}
          help={user.mobile !== '' && (user.mobile_verified ? '可以用来登录；在“账号安全”里更换' : locked)}
        />
      </div>
      <TextField label="联系地址" {...form.field('address')} autoComplete="street-address" maxLength={255} />
      <TextArea label="个性签名" {...form.field('signature')} help="显示在您的个人主页，最多 255 个字" />
      {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      <Button type="submit" variant="primary" busy={form.busy}>
        保存
      </Button>
    </form>
  )
}
