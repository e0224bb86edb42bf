import { useRef, useState } from 'react'
import type { CaptchaPurpose } from '#shared/enums.ts'
import { users } from '#shared/contract/users.ts'
import { api } from '#web/lib/api.ts'
import { useSite } from '#web/lib/site.ts'

export type Picture =
  | { state: 'none' }
  | { state: 'loading' }
  | { state: 'failed' }
  | { state: 'shown'; id: string; source: string }

export type Captcha = ReturnType<typeof useCaptcha>

/** A captcha is fetched when it is wanted, and anew whenever its answer has been used up. */
export function useCaptcha(purpose: CaptchaPurpose) {
  const { security } = useSite().settings
  const [picture, setPicture] = useState<Picture>({ state: 'none' })
  const turn = useRef(0)
  const show = async () => {
    const mine = (turn.current += 1)
    setPicture({ state: 'loading' })
    const next = await api(users.captcha, { type: purpose }).then(
      ({ id, captcha }): Picture => ({ state: 'shown', id, source: captcha }),
      (): Picture => ({ state: 'failed' }),
    )
    if (mine === turn.current) setPicture(next)
  }
  return {
    needed: security[`enable_captcha_${purpose}`],
    id: picture.state === 'shown' ? picture.id : '',
    picture,
    show,
    showIfNew: () => (picture.state === 'none' ? show() : undefined),
    renew: () => (picture.state === 'none' ? undefined : show()),
  }
}
