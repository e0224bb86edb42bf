import { Suspense } from 'react'
import { useSite } from '#web/domain/site.ts'
import { RegisterForm } from '#web/features/users/sign-in/register-form.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const RegisterTabs = lazyPart(async () => (await import('#web/features/users/sign-in/register-tabs.tsx')).RegisterTabs)

/** By a name, and by a number where sms are on. */
export function RegisterMethods() {
  const { enable_sms } = useSite().settings.system
  if (!enable_sms) return <RegisterForm />
  return (
    <Suspense fallback={<SkeletonRows count={6} />}>
      <RegisterTabs />
    </Suspense>
  )
}
