import { Suspense } from 'react'
import { useSite } from '#web/domain/site.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { lazyPart, QuietFailure } from '#web/ui/lazy-part.tsx'

const PasskeyLogin = lazyPart(
  async () => (await import('#web/features/users/sign-in/passkey-login.tsx')).PasskeyLogin,
  QuietFailure,
)

/** The log-in by passkey, where that is possible: passkeys belong to the address that the owner has set. */
export function PasskeyEntry() {
  const { domain } = useSite().settings.system
  const isPossible = useHydrated() && domain === location.origin && 'PublicKeyCredential' in window
  return (
    isPossible && (
      <Suspense>
        <PasskeyLogin />
      </Suspense>
    )
  )
}
