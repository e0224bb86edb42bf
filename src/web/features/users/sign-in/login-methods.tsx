import { Suspense } from 'react'
import { useSite } from '#web/domain/site.ts'
import { LoginForm } from '#web/features/users/sign-in/login-form.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const LoginTabs = lazyPart(async () => (await import('#web/features/users/sign-in/login-tabs.tsx')).LoginTabs)

/** The ways to log in that are on. Where it is only the password, nothing else is loaded. */
export function LoginMethods() {
  const { enable_sms, enable_email_login } = useSite().settings.system
  if (!enable_sms && !enable_email_login) return <LoginForm />
  return (
    <Suspense fallback={<SkeletonRows count={6} />}>
      <LoginTabs />
    </Suspense>
  )
}
