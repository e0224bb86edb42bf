import * as z from 'zod/mini'
import { askWeChat, fetchWeChatPicture, unreadable, type WeChatApp, WeChatError } from './api.ts'

/** What the server asks WeChat for in the name of the mini program. */

const Token = z.object({ access_token: z.string().check(z.minLength(1)) })

/** `invalid credential`, `access_token expired` and the like. */
const expiredTokenCodes = new Set([40_001, 40_014, 42_001])

/**
 * Runs a call with the app's token. It is asked for each time: WeChat gives the same one to every process while it is valid,
 * so there is nothing to keep. One that WeChat has revoked is replaced once.
 */
async function withToken<T>(app: WeChatApp, call: (accessToken: string) => Promise<T>): Promise<T> {
  try {
    return await call(await fetchToken(app, false))
  } catch (error) {
    if (!(error instanceof WeChatError) || !expiredTokenCodes.has(error.code)) throw error
    return call(await fetchToken(app, true))
  }
}

async function fetchToken({ appId, secret, gateway }: WeChatApp, isRenewed: boolean): Promise<string> {
  const body = { grant_type: 'client_credential', appid: appId, secret, force_refresh: isRenewed }
  const { success, data } = z.safeParse(Token, await askWeChat(gateway, '/cgi-bin/stable_token', { query: {}, body }))
  if (!success) throw unreadable()
  return data.access_token
}

/** The picture of a code that opens a page of the mini program, with `scene` as its only parameter. */
export function fetchMiniProgramCode(
  app: WeChatApp,
  { scene, page }: { scene: string; page: string },
): Promise<Buffer> {
  return withToken(app, (access_token) =>
    fetchWeChatPicture(app.gateway, '/wxa/getwxacodeunlimit', {
      query: { access_token },
      // Owners try the mini program before they publish it.
      body: { scene, page: page.replace(/^\/+/, ''), check_path: false },
    }),
  )
}

const PhoneAnswer = z.object({
  phone_info: z.object({
    purePhoneNumber: z.string(),
    countryCode: z.string(),
    watermark: z.object({ appid: z.string() }),
  }),
})

/** The number that the person has agreed to show. */
export async function fetchPhoneNumber(app: WeChatApp, code: string): Promise<{ number: string; countryCode: string }> {
  const answer = await withToken(app, (access_token) =>
    askWeChat(app.gateway, '/wxa/business/getuserphonenumber', { query: { access_token }, body: { code } }),
  )
  const { success, data } = z.safeParse(PhoneAnswer, answer)
  if (!success || data.phone_info.watermark.appid !== app.appId) throw unreadable()
  return { number: data.phone_info.purePhoneNumber, countryCode: data.phone_info.countryCode }
}
