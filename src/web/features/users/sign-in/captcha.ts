import { useRef, useState } from 'react'
import type { CaptchaPurpose } from '#shared/enums.ts'
import { users } from '#shared/contract/users.ts'
import { useSite } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'

export type CaptchaImage =
  | { state: 'none' }
  | { state: 'loading' }
  | { state: 'failed' }
  | { state: 'shown'; id: string; source: string }

export type Captcha = ReturnType<typeof useCaptcha>

/**
 * A captcha is loaded on demand, and replaced when its answer has been used up. A login may do without one until the server
 * asks for it.
 */
export function useCaptcha(purpose: CaptchaPurpose) {
  const { security } = useSite().settings
  const [image, setImage] = useState<CaptchaImage>({ state: 'none' })
  const [isAskedFor, setAskedFor] = useState(purpose !== 'login' || security.captcha_after_failures === 0)
  const latest = useRef(0)
  const load = async () => {
    const request = (latest.current += 1)
    setImage({ state: 'loading' })
    const next = await api(users.captcha, { type: purpose }).then(
      ({ id, captcha }): CaptchaImage => ({ state: 'shown', id, source: captcha }),
      (): CaptchaImage => ({ state: 'failed' }),
    )
    if (request === latest.current) setImage(next)
  }
  return {
    needed: security[`enable_captcha_${purpose}`] && isAskedFor,
    id: image.state === 'shown' ? image.id : '',
    image,
    load,
    loadOnce: () => (image.state === 'none' ? load() : undefined),
    /** Nothing happens before the first one. */
    replace: () => (image.state === 'none' ? undefined : load()),
    askFor: () => setAskedFor(true),
  }
}
