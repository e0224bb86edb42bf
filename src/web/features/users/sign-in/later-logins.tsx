import { type ComponentType, useEffect, useState } from 'react'
import { useSite } from '#web/domain/site.ts'

/**
 * The other ways to log in, below the form. Their script is loaded after the page, and only where the owner has switched one
 * on; the form does without it should that fail.
 */
export function LaterLogins() {
  const isOn = useSite().settings.security.enable_oauth
  const [part, setPart] = useState<{ Part: ComponentType }>()
  useEffect(() => {
    if (isOn)
      void import('#web/features/users/oauth/oauth-logins.tsx').then(
        ({ OauthLogins }) => setPart({ Part: OauthLogins }),
        () => undefined,
      )
  }, [isOn])
  return part && <part.Part />
}
