import { sms } from '#shared/contract/sms.ts'
import { codeSignIn } from '#shared/contract/code-sign-in.ts'
import { CodeScene, type SignInScene } from '#shared/enums.ts'
import { openSite, type Person, type Site } from '../site.ts'
import { aliyunProtocol } from './aliyun-protocol.ts'
import { openSmsServer, type SmsServer } from './sms-server.ts'

export interface SmsSite {
  site: Site
  server: SmsServer
  nextMobile(): string
  nextAddress(): string
  /** Asks for a code and returns what arrived. The clock is moved, as each number has to wait for a minute. */
  request(mobile: string, type: SignInScene): Promise<string>
  /** A new member who has only a number. */
  register(mobile?: string, password?: string): Promise<Person & { mobile: string }>
  close(): Promise<void>
}

/** A site that sends by a local server, with a clock that stands still. */
export async function openSmsSite(): Promise<SmsSite> {
  let count = 0
  const site = await openSite()
  const { now } = await site.app.context()
  const server = await openSmsServer(aliyunProtocol, now)
  await site.configure({ ...server.settings, 'sms.times_whole_site': '100000' })
  site.freezeClock()
  // Limits are by the day: no test begins shortly before midnight.
  site.advanceClock(new Date(now()).setHours(36, 0, 0, 0) - now())
  const nextAddress = () => `10.${((count += 1) >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`
  const nextMobile = () => `139${String((count += 1)).padStart(8, '0')}`
  const smsSite: SmsSite = {
    site,
    server,
    nextMobile,
    nextAddress,
    async request(mobile, type) {
      site.advanceClock(60_000)
      await site.caller({ ip: nextAddress() })(sms.send, { mobile, type })
      return server.codeFor(mobile)
    },
    async register(mobile = nextMobile(), password = '') {
      const code = await smsSite.request(mobile, CodeScene.Register)
      const ip = nextAddress()
      const { token, user } = await site.caller({ ip })(codeSignIn.registerByMobile, { mobile, code, password })
      return { id: user.id, username: user.username, mobile, password, token, call: site.caller({ token, ip }) }
    },
    async close() {
      await site.close()
      await server.close()
    },
  }
  return smsSite
}
