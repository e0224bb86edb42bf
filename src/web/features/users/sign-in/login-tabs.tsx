import { Suspense, useState } from 'react'
import { useSite } from '#web/domain/site.ts'
import { LoginForm } from '#web/features/users/sign-in/login-form.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Tabs } from '#web/ui/navigation/tabs.tsx'

const MobileLogin = lazyPart(
  async () => (await import('#web/features/users/sign-in/codes/mobile-login-form.tsx')).MobileLoginForm,
)
const EmailLogin = lazyPart(
  async () => (await import('#web/features/users/sign-in/codes/email-login-form.tsx')).EmailLoginForm,
)

type LoginMethod = 'password' | 'mobile' | 'email'

/** The ways to log in that are on. All but the password are loaded when they are chosen. */
export function LoginTabs() {
  const { enable_sms, enable_email_login } = useSite().settings.system
  const [method, setMethod] = useState<LoginMethod>('password')
  const tabs: { name: LoginMethod; title: string }[] = [
    { name: 'password', title: '密码登录' },
    ...(enable_sms ? [{ name: 'mobile' as const, title: '短信登录' }] : []),
    ...(enable_email_login ? [{ name: 'email' as const, title: '邮箱登录' }] : []),
  ]
  return (
    <Tabs label="登录方式" tabs={tabs} selected={method} onSelect={setMethod}>
      {method === 'password' ? (
        <LoginForm />
      ) : (
        <Suspense fallback={<SkeletonRows count={6} />}>
          {method === 'mobile' ? <MobileLogin /> : <EmailLogin />}
        </Suspense>
      )}
    </Tabs>
  )
}
