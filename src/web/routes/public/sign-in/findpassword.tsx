import { Link, useSearchParams } from 'react-router'
import type { Route } from './+types/findpassword.ts'
import { SignInPage } from '#web/features/users/sign-in/sign-in-page.tsx'
import { RequestResetForm, NewPasswordForm } from '#web/features/users/sign-in/password-reset-forms.tsx'
import { pageMeta } from '#web/domain/seo.ts'
import { useSite } from '#web/domain/site.ts'

export const handle = { queryKeys: ['token', 'email'] }

export default function FindPassword() {
  const { system } = useSite().settings
  const [query] = useSearchParams()
  const token = query.get('token')
  const email = query.get('email')
  const back = (
    <>
      想起来了？
      <Link to="/login" className="text-accent hover:underline">
        返回登录
      </Link>
      {system.enable_sms && (
        <span className="block">
          绑定过手机号？
          <Link to="/findpassword-mobile" className="text-accent hover:underline">
            用手机号找回
          </Link>
        </span>
      )}
    </>
  )
  return (
    <SignInPage title={token && email ? '设置新密码' : '找回密码'} background={system.login_background} lead={back}>
      {token && email ? <NewPasswordForm token={token} email={email} /> : <RequestResetForm />}
    </SignInPage>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '找回密码' })
}
