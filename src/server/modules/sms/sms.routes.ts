import { type SignInScene, CodeScene, type CaptchaPurpose } from '#shared/enums.ts'
import type { sms, smsTests } from '#shared/contract/sms.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { checkCaptchaForCode } from '#server/modules/auth/captcha.ts'
import { assertSmsEnabled, sendSmsCode } from './send-sms.ts'
import { countToday, deleteSms, listSms } from './sms-records.ts'
import { testSms } from './test-sms.ts'

/** The form that a code is for has a captcha of its own. */
const captchaOfForm: Record<SignInScene, CaptchaPurpose> = {
  [CodeScene.Register]: 'register',
  [CodeScene.Login]: 'login',
  [CodeScene.FindPassword]: 'find_password',
}

export const smsRoutes: Handlers<typeof sms> = {
  async send(ctx, { mobile, type, ...captcha }) {
    assertSmsEnabled(ctx.settings)
    if (type === CodeScene.Register) assertRegistrationOpen(ctx)
    await checkCaptchaForCode(ctx, captchaOfForm[type], captcha)
    await sendSmsCode(ctx, { mobile, scene: type })
    return { is_registered: true }
  },
  list: listSms,
  today: countToday,
  delete: emptyReply(deleteSms),
}

export const smsTestRoutes: Handlers<typeof smsTests> = { send: emptyReply(testSms) }

function assertRegistrationOpen({ settings: { security } }: Ctx): void {
  if (security.is_close) throw errors.users.siteClosed()
  if (!security.enable_register) throw errors.users.registerClosed()
}
