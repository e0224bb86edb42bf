import { Suspense, useState } from 'react'
import { RegisterForm } from '#web/features/users/sign-in/register-form.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Tabs } from '#web/ui/navigation/tabs.tsx'

const MobileRegister = lazyPart(
  async () => (await import('#web/features/users/sign-in/codes/mobile-register-form.tsx')).MobileRegisterForm,
)

export function RegisterTabs() {
  const [method, setMethod] = useState<'name' | 'mobile'>('name')
  const tabs = [
    { name: 'name', title: '用户名注册' },
    { name: 'mobile', title: '手机号注册' },
  ] as const
  return (
    <Tabs label="注册方式" tabs={tabs} selected={method} onSelect={setMethod}>
      {method === 'name' ? (
        <RegisterForm />
      ) : (
        <Suspense fallback={<SkeletonRows count={6} />}>
          <MobileRegister />
        </Suspense>
      )}
    </Tabs>
  )
}
