import { Suspense, useState } from 'react'
import { useSite } from '#web/domain/site.ts'
import { LoginForm } from '#web/features/users/sign-in/login-form.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Tabs } from '#web/ui/navigation/tabs.tsx'

const MobileLogin = lazyPart(
  async () => (await import('#web/features/users/sign-in/mobile-login-form.tsx')).MobileLoginForm,
)
const EmailLogin = lazyPart(
  async () => (await import('#web/features/users/sign-in/email-login-form.tsx')).EmailLoginForm,
)

type LoginWay = 'password' | 'mobile' | 'email'

/** The ways to log in that are on. All but the password are loaded when they are chosen. */
export function LoginWays() {
  const { enable_sms, enable_email_login } = useSite().settings.system
  const [way, setWay] = useState<LoginWay>('password')
  const tabs: { name: LoginWay; title: string }[] = [
    { name: 'password', title: '密码登录' },
    ...(enable_sms ? [{ name: 'mobile' as const, title: '短信登录' }] : []),
    ...(enable_email_login ? [{ name: 'email' as const, title: '邮箱登录' }] : []),
  ]
  return (
    <Tabs label="登录方式" tabs={tabs} selected={way} onSelect={setWay}>
      {way === 'password' ? (
        <LoginForm />
      ) : (
        <Suspense fallback={<SkeletonRows count={6} />}>{way === 'mobile' ? <MobileLogin /> : <EmailLogin />}</Suspense>
      )}
    </Tabs>
  )
}
