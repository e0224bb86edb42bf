import { hmac, timingSafeEqualText } from '#server/keys.ts'
import type { Settings } from '#shared/settings.ts'
import {
  InvalidNotice,
  type Notice,
  type PayEnvironment,
  type PaymentRequest,
  type PaymentState,
  type PayProvider,
  PayProviderError,
} from '../pay-provider.ts'

const merchant = 'trial'

/**
 * For trying things out: no money moves, a button on a page of ours says that it was paid. It keeps nothing, so every
 * process knows as much after a restart as before: the address of the page is a signed ticket, and the ticket sent to
 * the notify address is the notice. A buyer who presses "支付失败" sends nothing.
 */
export function trialPay(
  settings: Pick<Settings['pay'], 'test_mode'>,
  { now }: Pick<PayEnvironment, 'now'>,
  key: Uint8Array,
): PayProvider {
  const assertOn = () => {
    if (!settings.test_mode) throw new PayProviderError('not-configured', '试运行没有开启')
  }

  /** Nothing is known here of what was paid: the site has that from the notice. */
  const payment = (attemptNo: string, state: 'unknown' | 'paid', fen = 0): PaymentState => {
    const isPaid = state === 'paid'
    const transactionId = isPaid ? `trial${attemptNo}` : ''
    return { state, attemptNo, transactionId, merchant, fen, currency: 'CNY', paidAt: isPaid ? now() : null }
  }

  return {
    name: 'trial',
    merchant,
    hasNoBill: true,
    async create(request) {
      assertOn()
      return { kind: 'redirect', url: `/order/trial?${ticketFor(request, key)}` }
    },
    async query(attemptNo) {
      assertOn()
      return payment(attemptNo, 'unknown')
    },
    async close() {
      assertOn()
      return 'closed'
    },
    async refund({ fen, totalFen }) {
      assertOn()
      if (fen > totalFen) return { state: 'refused', message: '退款金额大于支付金额' }
      return { state: 'done', message: '试运行：没有真的退款' }
    },
    // A refund is done at once, or was never asked for.
    async queryRefund() {
      assertOn()
      return { state: 'unknown', message: '' }
    },
    async readNotice({ body }): Promise<Notice> {
      if (!settings.test_mode) throw new InvalidNotice('试运行没有开启')
      const { attemptNo, fen } = readTicket(Buffer.from(body).toString(), key)
      return { kind: 'payment', payment: payment(attemptNo, 'paid', fen) }
    },
    answerNotice: (isAccepted) => ({
      status: isAccepted ? 200 : 400,
      type: 'text/plain; charset=utf-8',
      body: isAccepted ? 'success' : 'fail',
    }),
    readBill: () => Promise.resolve(undefined),
    async test() {
      assertOn()
    },
  }
}

/** The page shows what stands in it: attempt, amount, title, and where the buyer goes afterwards. */
function ticketFor({ attemptNo, fen, title, returnUrl }: PaymentRequest, key: Uint8Array): string {
  const { pathname, search } = new URL(returnUrl)
  const values = { attempt_no: attemptNo, fen: String(fen), title, return_path: `${pathname}${search}` }
  return String(new URLSearchParams({ ...values, signature: sign(Object.values(values), key) }))
}

function readTicket(ticket: string, key: Uint8Array): { attemptNo: string; fen: number } {
  const fields = new URLSearchParams(ticket)
  const valueOf = (name: string) => fields.get(name) ?? ''
  const expected = sign(['attempt_no', 'fen', 'title', 'return_path'].map(valueOf), key)
  const isGenuine = fields.size === 5 && timingSafeEqualText(valueOf('signature'), expected)
  if (!isGenuine) throw new InvalidNotice('试运行的付款凭据不对')
  return { attemptNo: valueOf('attempt_no'), fen: Number(valueOf('fen')) }
}

function sign(values: string[], key: Uint8Array): string {
  return hmac(key, JSON.stringify(['pay.trial', ...values]))
}
