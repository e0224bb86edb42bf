import { Link } from 'react-router'
import type { Route } from './+types/findpassword-mobile.ts'
import { SignInPage } from '#web/features/users/sign-in/sign-in-page.tsx'
import { MobileResetForm } from '#web/features/users/sign-in/codes/mobile-reset-form.tsx'
import { pageMeta } from '#web/domain/seo.ts'
import { useSite } from '#web/domain/site.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'

export default function FindPasswordByMobile() {
  const { system } = useSite().settings
  const lead = (
    <>
      没有绑定手机号？
      <Link to="/findpassword" className="text-accent hover:underline">
        用邮箱找回
      </Link>
      ，或
      <Link to="/login" className="text-accent hover:underline">
        返回登录
      </Link>
    </>
  )
  return (
    <SignInPage title="用手机号找回密码" background={system.login_background} lead={lead}>
      {system.enable_sms ? <MobileResetForm /> : <Notice tone="warning">网站没有启用短信，请用邮箱找回密码。</Notice>}
    </SignInPage>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '用手机号找回密码' })
}
