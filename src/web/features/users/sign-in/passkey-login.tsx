import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { KeyRound } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { passkeys } from '#shared/contract/account-security.ts'
import { signWithPasskey } from '#web/features/users/security/passkeys/ceremonies.ts'
import { completeSignIn } from '#web/features/users/sign-in/complete-sign-in.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { safeRedirect } from '#web/lib/redirect.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'

/** A button, and the browser's own suggestion in the field of the user name. */
export function PasskeyLogin() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')

  const logIn = async (suggest: boolean) => {
    const { options } = await api(passkeys.loginOptions)
    const passkey = await signWithPasskey(options, { suggest })
    if (passkey === undefined) return
    await completeSignIn(await api(passkeys.login, { passkey }))
    await navigate(safeRedirect(query.get('redirect')), { replace: true })
  }
  const suggest = useEffectEvent(async () => {
    if (!(await browserSupportsWebAuthnAutofill())) return
    // What fails here was not asked for: the button tells.
    await logIn(true).catch((error: unknown) => setProblem(errorMessage(error, '')))
  })
  useEffect(() => {
    void suggest()
    return () => WebAuthnAbortService.cancelCeremony()
  }, [])

  const logInByButton = async () => {
    setBusy(true)
    setProblem('')
    try {
      await logIn(false)
    } catch (error) {
      setProblem(errorMessage(error, '没有完成通行密钥登录，请重试，或换一种方式'))
      // The button has ended the suggestion.
      void suggest()
    }
    setBusy(false)
  }
  return (
    <>
      <Button size="lg" wide busy={busy} onClick={() => void logInByButton()}>
        {!busy && <KeyRound size={18} aria-hidden />}
        使用通行密钥登录
      </Button>
      {problem && <Notice tone="danger">{problem}</Notice>}
    </>
  )
}
