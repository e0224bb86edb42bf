import { startWeChatSimulator } from '#server/testing/pay/wechat-simulator.ts'
import { testEnvironment } from '#server/testing/pay/wechat/connect.ts'
import { defaultSettings } from '#shared/settings.ts'
import { describePayProvider } from '../pay-provider.suite.ts'
import { wechatPay } from './wechat-pay.ts'

for (const mode of ['public_key', 'certificate', 'both'] as const) {
  describePayProvider(
    `WeChat Pay, verified by ${mode}`,
    async () => {
      const simulator = await startWeChatSimulator({ mode })
      const settings = { ...defaultSettings().pay, ...simulator.settings }
      return { simulator, provider: wechatPay(settings, testEnvironment(simulator)) }
    },
    {
      clients: ['desktop', 'phone', 'wechat-browser', 'mini-program'],
      noticeFaults: ['wrong-key', 'unknown-serial', 'probe', 'old-timestamp', 'byte-changed', 'wrong-api-key'],
      answerFaults: [
        ...(['no-answer', 'server-error', 'wrong-signature', 'not-json'] as const),
        // It takes long, and has nothing to do with keys.
        ...(mode === 'public_key' ? (['too-late'] as const) : []),
      ],
    },
  )
}
