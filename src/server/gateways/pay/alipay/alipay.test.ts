import { connectAlipay } from '#server/testing/pay/alipay/open.ts'
import { describePayProvider } from '../pay-provider.suite.ts'

describePayProvider('Alipay by keys', () => connectAlipay(), {
  clients: ['desktop', 'phone', 'wechat-browser'],
  noticeFaults: ['wrong-key', 'wrong-api-key', 'probe', 'byte-changed', 'duplicate-keys'],
  answerFaults: ['no-answer', 'server-error', 'wrong-signature', 'not-json', 'too-late'],
  lacks: ['processing-refund'],
})

describePayProvider('Alipay by certificates', () => connectAlipay({ mode: 'certificate' }), {
  clients: ['desktop'],
  noticeFaults: ['unknown-serial', 'byte-changed'],
  answerFaults: ['wrong-signature'],
  lacks: ['processing-refund'],
})
