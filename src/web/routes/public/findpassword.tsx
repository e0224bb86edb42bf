import { Link, useSearchParams } from 'react-router'
import type { Route } from './+types/findpassword.ts'
import { AccountPage } from '#web/features/users/account-page.tsx'
import { AskForLinkForm, NewPasswordForm } from '#web/features/users/find-password-forms.tsx'
import { pageMeta } from '#web/lib/seo.ts'
import { useSite } from '#web/lib/site.ts'

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
    </>
  )
  return (
    <AccountPage title={token && email ? '设置新密码' : '找回密码'} background={system.login_background} lead={back}>
      {token && email ? <NewPasswordForm token={token} email={email} /> : <AskForLinkForm />}
    </AccountPage>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '找回密码' })
}
