import type { Route } from './+types/security.ts'
import { LinkedAccountsCard } from '#web/features/users/security/linked-accounts-card.tsx'
import { MobileCard } from '#web/features/users/security/mobile-card.tsx'
import { PasskeysCard } from '#web/features/users/security/passkeys-card.tsx'
import { PrivacyCard } from '#web/features/users/security/privacy-card.tsx'
import { SecondFactorCard } from '#web/features/users/security/second-factor-card.tsx'
import { SessionsCard } from '#web/features/users/security/sessions-card.tsx'
import { pageMeta } from '#web/domain/seo.ts'

export default function Security() {
  return (
    <div className="space-y-6">
      <MobileCard />
      <LinkedAccountsCard />
      <SecondFactorCard />
      <PasskeysCard />
      <SessionsCard />
      <PrivacyCard />
    </div>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '账号安全' })
}
