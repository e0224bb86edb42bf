import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'

/** What the browser and its authenticators do with passkeys. To be loaded when one is used. */

/** The signed answer as JSON; undefined if the user, or another ceremony, has ended it while it was only a suggestion. */
export async function signWithPasskey(options: string, { suggest = false } = {}): Promise<string | undefined> {
  try {
    const answer = await startAuthentication({ optionsJSON: JSON.parse(options), useBrowserAutofill: suggest })
    return JSON.stringify(answer)
  } catch (error) {
    if (suggest) return undefined
    throw error
  }
}

/** The new passkey as JSON. */
export async function createPasskey(options: string): Promise<string> {
  return JSON.stringify(await startRegistration({ optionsJSON: JSON.parse(options) }))
}

/** Why a new passkey was not made, in words. */
export function explainCreation(error: unknown): string {
  const isKnown = error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
  return isKnown ? '这台设备上已经有本账号的通行密钥' : '没有添加通行密钥：操作已取消或超时，请重试'
}
