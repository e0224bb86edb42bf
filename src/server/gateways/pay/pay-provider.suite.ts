import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { receiveNotices, type NoticeReceiver } from '#server/testing/pay/notice-receiver.ts'
import type { AnswerFault, NoticeFault, PaidDifferently, PaySimulator } from '#server/testing/pay/pay-simulator.ts'
import { toBeijingDay } from './beijing-time.ts'
import {
  InvalidNotice,
  PayProviderError,
  type PayClient,
  type PaymentRequest,
  type PaymentState,
  type PayProvider,
  type RefundRequest,
} from './pay-provider.ts'

interface OpenProvider {
  provider: PayProvider
  simulator: PaySimulator
}

interface ProviderTraits {
  /** What buyers can pay with. */
  clients: PayClient[]
  /** The faults that make sense for its notices, and for its answers. */
  noticeFaults: NoticeFault[]
  answerFaults: AnswerFault[]
  /** What the protocol does not have. */
  lacks?: (
    | 'close'
    | 'refund'
    | 'partial-refund'
    | 'processing-refund'
    | 'refund-query'
    | 'refund-notice'
    | 'bill'
    | 'app'
    | 'currency'
  )[]
}

/** The tests of every payment provider, against the server that stands in for it. */
export function describePayProvider(name: string, open: () => Promise<OpenProvider>, traits: ProviderTraits): void {
  const { clients, noticeFaults, answerFaults, lacks = [] } = traits
  const has = (feature: (typeof lacks)[number]) => !lacks.includes(feature)

  describe(name, () => {
    let provider: PayProvider
    let simulator: PaySimulator
    let receiver: NoticeReceiver

    beforeAll(async () => {
      ;({ provider, simulator } = await open())
      receiver = await receiveNotices(provider)
    })
    afterAll(async () => {
      await receiver.close()
      await simulator.close()
    })
    beforeEach(() => simulator.answerRefunds('done'))
    afterEach(() => expect(simulator.complaints).toEqual([]))

    const request = (changes: Partial<PaymentRequest> = {}): PaymentRequest => ({
      attemptNo: newNumber(),
      fen: 1999,
      title: '会员卡 100% & “季度”',
      expiresAt: Date.now() + 30 * 60_000,
      notifyUrl: receiver.url,
      returnUrl: 'https://wenku.example/order/1',
      client: clients[0] ?? 'desktop',
      ip: '203.0.113.7',
      openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o',
      ...changes,
    })

    /** The buyer has been shown how to pay, and has gone there. */
    const begin = async (changes?: Partial<PaymentRequest>) => {
      const payment = request(changes)
      const instruction = await provider.create(payment)
      if (instruction.kind === 'redirect') await (await fetch(instruction.url, { redirect: 'manual' })).text()
      return payment
    }

    const beginAndPay = async (changes?: Partial<PaymentRequest>, paid?: PaidDifferently) => {
      const payment = await begin(changes)
      simulator.pay(payment.attemptNo, paid)
      return payment
    }

    const paidState = ({ attemptNo, fen }: PaymentRequest): PaymentState => ({
      state: 'paid',
      attemptNo,
      transactionId: expect.stringMatching(/./),
      merchant: provider.merchant,
      fen,
      currency: 'CNY',
      paidAt: expect.any(Number),
    })

    const receive = async (sending: Promise<{ status: number; body: string }>) => {
      const answer = await sending
      return { answer, outcome: receiver.outcomes.at(-1) }
    }

    const answerTo = (isAccepted: boolean) => {
      const { status, body } = provider.answerNotice(isAccepted)
      return { status, body }
    }

    const refundOf = async (
      { attemptNo, fen: totalFen }: PaymentRequest,
      changes: Partial<RefundRequest> = {},
    ): Promise<RefundRequest> => ({
      refundNo: newNumber(),
      attemptNo,
      transactionId: (await provider.query(attemptNo)).transactionId,
      fen: totalFen,
      totalFen,
      reason: '买家要求退款',
      notifyUrl: receiver.url,
      ...changes,
    })

    describe('payments', () => {
      test.each(clients)('begins a payment that is unpaid until the buyer pays (%s)', async (client) => {
        const payment = await begin({ client })
        expect((await provider.query(payment.attemptNo)).state).toBe('unpaid')
        simulator.pay(payment.attemptNo)
        const state = await provider.query(payment.attemptNo)
        expect(state).toEqual(paidState(payment))
        expect(Math.abs((state.paidAt ?? 0) - Date.now())).toBeLessThan(3_600_000)
      })

      test.each([1, 10, 100, 12_345_678])('asks for %i fen and is told of as many', async (fen) => {
        const payment = await beginAndPay({ fen })
        expect(await provider.query(payment.attemptNo)).toMatchObject({ state: 'paid', fen })
      })

      test('begins the same payment again with the same values', async () => {
        const payment = await begin()
        const again = await provider.create(payment)
        expect(await provider.create(payment)).toMatchObject({ kind: again.kind })
        simulator.pay(payment.attemptNo)
        expect(await provider.query(payment.attemptNo)).toEqual(paidState(payment))
      })

      test('begins with a long title, whatever is in it', async () => {
        const payment = await beginAndPay({ title: `"\\\n\t<&+=%00>'\`,\`😀${'文'.repeat(300)}` })
        expect(await provider.query(payment.attemptNo)).toEqual(paidState(payment))
      })

      test('does not know a payment that never began', async () => {
        expect(await provider.query(newNumber())).toMatchObject({ state: 'unknown', paidAt: null })
      })

      test('tells what was paid, not what was asked for', async () => {
        const payment = await beginAndPay({}, { fen: 1998 })
        expect(await provider.query(payment.attemptNo)).toEqual({ ...paidState(payment), fen: 1998 })
      })
    })

    describe('notices', () => {
      test('reads the notice of a payment, every time it comes', async () => {
        const payment = await beginAndPay()
        for (let times = 1; times <= 3; times++) {
          const { answer, outcome } = await receive(simulator.notify(payment.attemptNo))
          expect(outcome).toEqual({ kind: 'payment', payment: paidState(payment) })
          expect(answer).toEqual(answerTo(true))
        }
      })

      test('agrees with what a query tells', async () => {
        const { attemptNo } = await beginAndPay()
        const { outcome } = await receive(simulator.notify(attemptNo))
        expect(outcome).toEqual({ kind: 'payment', payment: await provider.query(attemptNo) })
      })

      test.each(noticeFaults)('refuses a notice with the fault %s, and takes the right one after it', async (fault) => {
        const payment = await beginAndPay()
        const faulty = await receive(simulator.notify(payment.attemptNo, fault))
        expect(faulty.outcome).toEqual({ thrown: expect.any(InvalidNotice) })
        expect(faulty.answer).toEqual(answerTo(false))
        const { outcome } = await receive(simulator.notify(payment.attemptNo))
        expect(outcome).toEqual({ kind: 'payment', payment: paidState(payment) })
      })

      test.each<PaidDifferently>([{ fen: 1 }, { fen: 1998 }, { fen: 2000 }])(
        'tells the paid amount: %j',
        async (paid) => {
          const payment = await beginAndPay({}, paid)
          const { outcome } = await receive(simulator.notify(payment.attemptNo))
          expect(outcome).toEqual({ kind: 'payment', payment: { ...paidState(payment), ...paid } })
        },
      )

      test.runIf(has('currency'))('tells the paid currency', async () => {
        const payment = await beginAndPay({}, { currency: 'USD' })
        const { outcome } = await receive(simulator.notify(payment.attemptNo))
        expect(outcome).toEqual({ kind: 'payment', payment: { ...paidState(payment), currency: 'USD' } })
      })

      const others: PaidDifferently[] = [
        { merchant: '1900000999' },
        ...(has('app') ? [{ app: 'wx0000000000000999' }] : []),
      ]
      test.each(others)('does not take a payment to another account for ours: %j', async (paid) => {
        const payment = await beginAndPay({}, paid)
        const { outcome } = await receive(simulator.notify(payment.attemptNo))
        const isRefused = outcome !== undefined && 'thrown' in outcome && outcome.thrown instanceof InvalidNotice
        const isTold =
          outcome !== undefined &&
          'kind' in outcome &&
          outcome.kind === 'payment' &&
          outcome.payment.merchant !== provider.merchant
        expect(isRefused || isTold, JSON.stringify(outcome)).toBe(true)
      })

      test.each([
        ['nothing', '', ''],
        ['no JSON', 'hello', ''],
        ['JSON of another kind', '[1,2]', ''],
        ['null', 'null', ''],
        ['a form', 'out_trade_no=1&trade_status=TRADE_SUCCESS&sign=x&sign_type=RSA2', ''],
        ['a query', '', 'out_trade_no=1&trade_status=TRADE_SUCCESS&money=1.00&sign=x&sign_type=MD5'],
        ['percent signs', '%=%&%E0%A4%A=%', '%=%&%E0%A4%A=%'],
        ['deep JSON', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, ''],
      ])('refuses a notice that is %s', async (_, body, query) => {
        for (const method of ['POST', 'GET']) {
          const notice = { method, query, headers: new Headers(), body: Buffer.from(body) }
          await expect(provider.readNotice(notice)).rejects.toBeInstanceOf(InvalidNotice)
        }
      })

      test('refuses random bytes', async () => {
        const notice = { method: 'POST', query: '', headers: new Headers(), body: randomBytes(1000) }
        await expect(provider.readNotice(notice)).rejects.toBeInstanceOf(InvalidNotice)
      })
    })

    describe('closing', () => {
      test('closes what is unpaid, and may be repeated', async () => {
        const { attemptNo } = await begin()
        expect(await provider.close(attemptNo)).toBe('closed')
        expect(await provider.close(attemptNo)).toBe('closed')
        const { state } = await provider.query(attemptNo)
        expect(has('close') ? ['closed'] : ['closed', 'unpaid', 'unknown']).toContain(state)
      })

      test('finds that it was paid before', async () => {
        const payment = await beginAndPay()
        expect(await provider.close(payment.attemptNo)).toBe('paid')
        expect(await provider.query(payment.attemptNo)).toEqual(paidState(payment))
      })

      test('has nothing to close where nothing began', async () => {
        expect(await provider.close(newNumber())).toBe('closed')
      })
    })

    test.runIf(!has('refund'))('refunds are not possible: staff are told so', async () => {
      const refund = await refundOf(await beginAndPay())
      expect(await provider.refund(refund)).toEqual({ state: 'refused', message: expect.stringMatching(/./) })
    })

    describe.runIf(has('refund'))('refunds', () => {
      test('gives back the whole', async () => {
        const payment = await beginAndPay()
        const refund = await refundOf(payment)
        expect(await provider.refund(refund)).toMatchObject({ state: 'done' })
        expect(await provider.query(payment.attemptNo)).toEqual({ ...paidState(payment), state: 'refunded' })
      })

      test('gives it back once, however often the same refund is asked for', async () => {
        const payment = await beginAndPay()
        const refund = await refundOf(payment)
        for (let times = 1; times <= 3; times++) {
          expect(await provider.refund(refund)).toMatchObject({ state: 'done' })
        }
        const another = await provider.refund({ ...refund, refundNo: newNumber(), fen: 1 })
        expect(another.state).toBe('refused')
      })

      test('is refused in the words of the provider', async () => {
        const refund = await refundOf(await beginAndPay())
        simulator.answerRefunds('refused')
        const state = await provider.refund(refund)
        expect(state).toEqual({ state: 'refused', message: expect.stringMatching(/./) })
      })

      test('of more than was paid is refused', async () => {
        const refund = await refundOf(await beginAndPay(), { fen: 2000 })
        expect(await provider.refund(refund)).toMatchObject({ state: 'refused' })
      })

      test('of what was never paid is refused', async () => {
        const payment = await begin()
        expect(await provider.refund(await refundOf(payment))).toMatchObject({ state: 'refused' })
      })

      test.runIf(has('partial-refund'))('gives back parts, up to the whole', async () => {
        const payment = await beginAndPay()
        const part = await refundOf(payment, { fen: 1000 })
        expect(await provider.refund(part)).toMatchObject({ state: 'done' })
        expect(await provider.refund(part)).toMatchObject({ state: 'done' })
        expect(await provider.refund(await refundOf(payment, { fen: 1000 }))).toMatchObject({ state: 'refused' })
        expect(await provider.refund(await refundOf(payment, { fen: 999 }))).toMatchObject({ state: 'done' })
      })

      test.runIf(has('refund-query'))('is known to a query', async () => {
        const payment = await beginAndPay()
        const refund = await refundOf(payment)
        expect(await provider.queryRefund(refund)).toMatchObject({ state: 'unknown' })
        await provider.refund(refund)
        expect(await provider.queryRefund(refund)).toMatchObject({ state: 'done' })
      })

      // A refund that is processing becomes what refunds are answered with later.
      test.runIf(has('processing-refund'))('is processing until it is done', async () => {
        const refund = await refundOf(await beginAndPay())
        simulator.answerRefunds('processing')
        expect(await provider.refund(refund)).toMatchObject({ state: 'processing' })
        expect(await provider.queryRefund(refund)).toMatchObject({ state: 'processing' })
        simulator.answerRefunds('done')
        expect(await provider.queryRefund(refund)).toMatchObject({ state: 'done' })
      })

      test.runIf(has('processing-refund'))('is processing until it is refused', async () => {
        const refund = await refundOf(await beginAndPay())
        simulator.answerRefunds('processing')
        expect(await provider.refund(refund)).toMatchObject({ state: 'processing' })
        simulator.answerRefunds('refused')
        expect(await provider.queryRefund(refund)).toEqual({
          state: 'refused',
          message: expect.stringMatching(/./),
        })
      })

      test.runIf(has('refund-notice'))('is told of by a notice', async () => {
        const payment = await beginAndPay()
        const refund = await refundOf(payment)
        await provider.refund(refund)
        const { answer, outcome } = await receive(simulator.notifyRefund(refund.refundNo))
        expect(outcome).toMatchObject({
          kind: 'refund',
          refundNo: refund.refundNo,
          attemptNo: payment.attemptNo,
          refund: { state: 'done' },
        })
        expect(answer).toEqual(answerTo(true))
      })

      test.runIf(has('refund-notice')).each(noticeFaults)(
        'is not told of by a notice with the fault %s',
        async (fault) => {
          const refund = await refundOf(await beginAndPay())
          await provider.refund(refund)
          const { outcome } = await receive(simulator.notifyRefund(refund.refundNo, fault))
          expect(outcome).toEqual({ thrown: expect.any(InvalidNotice) })
        },
      )

      test.each(answerFaults)('is repeated after the answer %s, and moves money once', async (fault) => {
        const refund = await refundOf(await beginAndPay())
        simulator.misbehave(fault)
        await expect(provider.refund(refund)).rejects.toMatchObject({ name: 'PayProviderError', isTemporary: true })
        expect(await provider.refund(refund)).toMatchObject({ state: 'done' })
        const another = await provider.refund({ ...refund, refundNo: newNumber(), fen: 1 })
        expect(another.state).toBe('refused')
      })
    })

    test.runIf(!has('bill'))('there is no bill', async () => {
      expect(await provider.readBill(toBeijingDay(Date.now()))).toBeUndefined()
    })

    describe.runIf(has('bill'))('the bill', () => {
      const readBill = async (from: number) => {
        // The day may end meanwhile.
        const days = new Set([toBeijingDay(from), toBeijingDay(Date.now())])
        const bills = await Promise.all([...days].map((day) => provider.readBill(day)))
        return bills.flatMap((bill) => bill ?? [])
      }

      test('lists payments and refunds, and nothing unpaid', async () => {
        const from = Date.now()
        const unpaid = await begin()
        const payment = await beginAndPay({ title: '逗号,`反引号", "引号"' })
        const { transactionId } = await provider.query(payment.attemptNo)
        const refund = {
          refundNo: newNumber(),
          attemptNo: payment.attemptNo,
          transactionId,
          fen: has('partial-refund') ? 500 : payment.fen,
          totalFen: payment.fen,
          reason: '',
          notifyUrl: receiver.url,
        }
        await provider.refund(refund)
        const bill = await readBill(from)
        expect(bill.filter(({ attemptNo }) => attemptNo === unpaid.attemptNo)).toEqual([])
        const own = bill.filter(({ attemptNo }) => attemptNo === payment.attemptNo)
        const entry = { attemptNo: payment.attemptNo, transactionId, at: expect.any(Number) }
        expect(own.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
          { ...entry, kind: 'payment', refundNo: '', fen: payment.fen },
          { ...entry, kind: 'refund', refundNo: refund.refundNo, fen: refund.fen },
        ])
        for (const { at } of own) expect(Math.abs(at - from)).toBeLessThan(3_600_000)
      })

      test('lacks a payment that vanished, and has one that we do not know', async () => {
        const from = Date.now()
        const { attemptNo } = await beginAndPay()
        const unknownNo = newNumber()
        simulator.changeBill({ forget: attemptNo, add: { attemptNo: unknownNo, fen: 77 } })
        const bill = await readBill(from)
        expect(bill.filter((entry) => entry.attemptNo === attemptNo)).toEqual([])
        expect(bill.filter((entry) => entry.attemptNo === unknownNo)).toMatchObject([{ kind: 'payment', fen: 77 }])
      })

      test('does not exist before its day', async () => {
        expect(await provider.readBill(toBeijingDay(Date.now() + 2 * 86_400_000))).toBeUndefined()
      })

      test.each(answerFaults)('is asked for again after the answer %s', async (fault) => {
        simulator.misbehave(fault)
        const day = toBeijingDay(Date.now())
        await expect(provider.readBill(day)).rejects.toMatchObject({ name: 'PayProviderError', isTemporary: true })
        await provider.readBill(day)
      })
    })

    describe.each(answerFaults)('an answer with the fault %s', (fault) => {
      test('tells nothing about the outcome: the same call may be repeated', async () => {
        const payment = await begin()
        simulator.misbehave(fault)
        await expect(provider.query(payment.attemptNo)).rejects.toMatchObject({
          name: 'PayProviderError',
          isTemporary: true,
        })
        expect((await provider.query(payment.attemptNo)).state).toBe('unpaid')
        simulator.misbehave(fault)
        await expect(provider.close(payment.attemptNo)).rejects.toMatchObject({
          name: 'PayProviderError',
          isTemporary: true,
        })
        expect(await provider.close(payment.attemptNo)).toBe('closed')
      })

      test('does not begin a payment twice', async () => {
        const asked = simulator.calls.length
        await provider.create(request())
        // A signed link is made without asking.
        if (simulator.calls.length === asked) return
        const payment = request()
        simulator.misbehave(fault)
        await expect(provider.create(payment)).rejects.toMatchObject({ name: 'PayProviderError', isTemporary: true })
        await provider.create(payment)
        simulator.pay(payment.attemptNo)
        expect(await provider.query(payment.attemptNo)).toEqual(paidState(payment))
      })
    })

    describe('the settings', () => {
      test('are tried without moving money', async () => {
        const asked = simulator.calls.length
        await provider.test()
        const calls = simulator.calls.slice(asked)
        const numbers = (name: string) => calls.filter(({ call }) => call === name).map(({ attemptNo }) => attemptNo)
        expect(numbers('refund')).toEqual([])
        // What begins is over at once.
        expect(numbers('close')).toEqual(numbers('create'))
      })

      test.each(answerFaults)('are tried: the answer %s is told', async (fault) => {
        simulator.misbehave(fault)
        await expect(provider.test()).rejects.toBeInstanceOf(PayProviderError)
        await provider.test()
      })
    })
  })

  describe(`${name}, out of reach`, () => {
    test('throws nothing but errors of providers, and all of them are temporary', async () => {
      const { provider, simulator } = await open()
      await simulator.close()
      const refund = {
        refundNo: newNumber(),
        attemptNo: newNumber(),
        transactionId: '1',
        fen: 1,
        totalFen: 1,
        reason: '',
        notifyUrl: 'https://wenku.example/notify',
      }
      const unreachable = { name: 'PayProviderError', code: 'unreachable', isTemporary: true }
      await expect(provider.query(newNumber())).rejects.toMatchObject(unreachable)
      await expect(provider.close(newNumber())).rejects.toMatchObject(unreachable)
      if (has('refund')) await expect(provider.refund(refund)).rejects.toMatchObject(unreachable)
      if (has('refund-query')) await expect(provider.queryRefund(refund)).rejects.toMatchObject(unreachable)
      if (has('bill')) await expect(provider.readBill('2026-11-01')).rejects.toMatchObject(unreachable)
      await expect(provider.test()).rejects.toMatchObject({ name: 'PayProviderError', code: 'unreachable' })
    })
  })
}

let numbers = 0

/** 6 to 32 letters and digits, as numbers of attempts and refunds are. */
function newNumber(): string {
  return `T${Date.now()}${randomBytes(4).toString('hex')}${++numbers}`
}
