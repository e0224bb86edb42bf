import { createRoot } from 'react-dom/client'
import { factorLogins, proofs, secondFactor } from '#shared/contract/account-security.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { ApiError, LoginChallenge } from '#shared/errors.ts'
import { FactorDialog, type Question } from '#web/features/users/security/refusals/factor-dialog.tsx'
import { api, type ResolveRefusal } from '#web/lib/api.ts'

/** Asks for the second step of a log-in, or for a proof of who sits there, in a dialog above whatever is shown. */
export const resolveRefusal: ResolveRefusal = async (error, repeat) => {
  if (error.challenge) return askForSecondStep(error, error.challenge)
  if (error.reason === 'access.secondFactorOwed') return goTo('/me/security', error)
  if (error.reason === 'access.passwordOwed') return goTo('/me/password', error)
  await askForProof(error)
  return repeat()
}

/** The reply of the log-in that was begun. */
async function askForSecondStep(error: ApiError, { id, methods }: LoginChallenge) {
  return ask<Reply<typeof factorLogins.complete>>(error, {
    title: '两步验证',
    lead: '这个账号开启了两步验证，请再完成一步。',
    action: '登录',
    methods,
    passkeyOptions: async () => (await api(factorLogins.passkeyOptions, { challenge: id })).options,
    send: ({ code, passkey }) => api(factorLogins.complete, { challenge: id, code, passkey }),
  })
}

/** One dialog for all requests that need the proof at the same time. */
let asking: Promise<unknown> | undefined

async function askForProof(refused: ApiError): Promise<void> {
  asking ??= openProofDialog(refused)
  try {
    await asking
  } finally {
    asking = undefined
  }
}

async function openProofDialog(refused: ApiError): Promise<unknown> {
  const { enabled, totp, recovery_count, passkey_count, has_password } = await api(secondFactor.get)
  return ask(refused, {
    title: '验证身份',
    lead: '这项操作很重要，请先证明是您本人。之后十分钟内不再询问。',
    action: '继续',
    methods: [
      ...(enabled && totp ? (['totp'] as const) : []),
      ...(!enabled && has_password ? (['password'] as const) : []),
      ...(passkey_count > 0 ? (['passkey'] as const) : []),
      ...(enabled && recovery_count > 0 ? (['recovery'] as const) : []),
    ],
    passkeyOptions: async () => (await api(proofs.passkeyOptions)).options,
    send: (answer) => api(proofs.give, answer),
  })
}

/** Shows the dialog until it is answered; rejects with the error if it is closed. */
function ask<T>(error: ApiError, question: Omit<Question<T>, 'onDone' | 'onClose'>): Promise<T> {
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  const answered = new Promise<T>((resolve, reject) => {
    root.render(<FactorDialog {...question} onDone={resolve} onClose={() => reject(error)} />)
  })
  return answered.finally(() => {
    root.unmount()
    place.remove()
  })
}

/** Staff without a second factor, and members whose password another person set, cannot do anything else. */
function goTo(path: string, error: ApiError): never {
  if (location.pathname !== path) location.assign(path)
  throw error
}
