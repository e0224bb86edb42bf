import { connectThirdParty } from '#server/testing/pay/third/connect-third-party.ts'
import { describePayProvider } from '../pay-provider.suite.ts'

const clients = ['desktop', 'phone', 'wechat-browser'] as const

describePayProvider('易支付 MD5', () => connectThirdParty('epay'), {
  clients: [...clients],
  noticeFaults: ['wrong-key', 'byte-changed', 'duplicate-keys'],
  answerFaults: ['no-answer', 'server-error', 'not-json', 'too-late'],
  lacks: ['close', 'partial-refund', 'processing-refund', 'refund-notice', 'bill', 'app', 'currency'],
})

describePayProvider('易支付 MD5, by its own page', () => connectThirdParty('epay', { third_channel: '' }), {
  clients: [...clients],
  noticeFaults: ['wrong-key', 'byte-changed', 'duplicate-keys'],
  answerFaults: ['no-answer', 'server-error', 'not-json', 'too-late'],
  lacks: ['close', 'partial-refund', 'processing-refund', 'refund-notice', 'bill', 'app', 'currency'],
})

describePayProvider('易支付 V2', () => connectThirdParty('epay_v2'), {
  clients: [...clients],
  noticeFaults: ['wrong-key', 'byte-changed', 'duplicate-keys', 'old-timestamp'],
  answerFaults: ['no-answer', 'server-error', 'not-json', 'too-late', 'wrong-signature'],
  // A closed payment is not told from an unpaid one, nor a refund that failed later from one that is processing.
  lacks: ['close', 'processing-refund', 'refund-notice', 'bill', 'app', 'currency'],
})

describePayProvider('虎皮椒', () => connectThirdParty('xunhupay'), {
  clients: [...clients],
  noticeFaults: ['wrong-key', 'byte-changed', 'duplicate-keys'],
  answerFaults: ['no-answer', 'server-error', 'not-json', 'too-late'],
  lacks: ['close', 'refund', 'refund-query', 'refund-notice', 'bill', 'app', 'currency'],
})
