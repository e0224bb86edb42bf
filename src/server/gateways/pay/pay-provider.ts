import type { PayProviderName } from '#shared/payment-methods.ts'

/**
 * What the product needs of a payment provider. One interface, one suite (pay-provider.suite.ts); every amount is a whole
 * number of fen, every number of ours is the attempt's.
 */
export interface PayProvider {
  readonly name: PayProviderName
  /** The account that payments go to, kept with each attempt: a payment to another one is not ours. */
  readonly merchant: string
  /** It never has a bill: reconciliation asks about each payment of the day instead. */
  readonly hasNoBill?: boolean
  /** Begins a payment. May be repeated with the same values. */
  create(request: PaymentRequest): Promise<PayInstruction>
  query(attemptNo: string): Promise<PaymentState>
  /** `paid` if it was paid before it could be closed: it is to be settled. */
  close(attemptNo: string): Promise<'closed' | 'paid'>
  /** May be repeated with the same refund number. */
  refund(request: RefundRequest): Promise<RefundState>
  queryRefund(request: Pick<RefundRequest, 'refundNo' | 'attemptNo'>): Promise<RefundState>
  /**
   * Verifies a notice over its raw bytes; throws `InvalidNotice` for one that is not the provider's. It may ask the
   * provider, and throws `PayProviderError` if that fails: the notice will come again.
   */
  readNotice(notice: RawNotice): Promise<Notice>
  /** What the provider expects as the answer to a notice. */
  answerNotice(isAccepted: boolean): NoticeAnswer
  /** Everything that was paid and refunded on a day, yyyy-mm-dd in Beijing; undefined while there is no bill yet. */
  readBill(day: string): Promise<BillEntry[] | undefined>
  /** Tries the settings without moving money; throws `PayProviderError` that says in Chinese what is wrong. */
  test(): Promise<void>
}

/** What the buyer pays with decides how the payment begins. */
export type PayClient = 'desktop' | 'phone' | 'wechat-browser' | 'mini-program'

export interface PaymentRequest {
  /** The provider's `out_trade_no`: 6 to 32 letters and digits. */
  attemptNo: string
  fen: number
  title: string
  expiresAt: number
  notifyUrl: string
  /** Where the provider sends the buyer afterwards. */
  returnUrl: string
  client: PayClient
  ip: string
  /** Of the buyer in WeChat, for a payment inside it. */
  openid?: string
}

/** How the buyer pays. */
export type PayInstruction =
  | { kind: 'qrcode'; content: string }
  | { kind: 'redirect'; url: string }
  | { kind: 'jsapi'; parameters: Record<string, string> }

/** A payment as the provider tells it, in an answer or a notice. */
export interface PaymentState {
  /** `unknown`: the provider has no such payment (yet); `refunded`: it was paid, and some of it went back. */
  state: 'unknown' | 'unpaid' | 'paid' | 'closed' | 'refunded'
  attemptNo: string
  /** The provider's number; empty until it is paid. */
  transactionId: string
  merchant: string
  fen: number
  currency: string
  paidAt: number | null
}

export interface RefundRequest {
  refundNo: string
  attemptNo: string
  transactionId: string
  /** What is refunded now. */
  fen: number
  /** What was paid. */
  totalFen: number
  reason: string
  notifyUrl: string
}

export interface RefundState {
  state: 'unknown' | 'processing' | 'done' | 'refused'
  /** The provider's words, for staff. */
  message: string
}

/** A request to our notify address, before anything has parsed it. */
export interface RawNotice {
  method: string
  /** The query string without its question mark. */
  query: string
  headers: Headers
  body: Uint8Array
}

export type Notice =
  | { kind: 'payment'; payment: PaymentState }
  | { kind: 'refund'; refundNo: string; attemptNo: string; refund: RefundState }
  /** Genuine, and about nothing that we follow. */
  | { kind: 'other' }

export interface NoticeAnswer {
  status: number
  type: string
  body: string
}

export interface BillEntry {
  kind: 'payment' | 'refund'
  attemptNo: string
  transactionId: string
  /** Of a refund; empty otherwise. */
  refundNo: string
  fen: number
  at: number
}

/** What providers are made with; tests give another clock. */
export interface PayEnvironment {
  now(): number
  /** Random, unguessable, at most 32 letters and digits. */
  nonce(): string
  /** How long an answer may take; 10 seconds if it is not given. */
  timeoutMs?: number
}

/** The provider refused or could not be reached. */
export class PayProviderError extends Error {
  /** The provider's code, or one of ours: `unreachable`, `bad-answer`, `not-configured`, `unsupported`. */
  readonly code: string
  /** Worth another try with the same values: nothing is known about the outcome. */
  readonly isTemporary: boolean

  constructor(
    code: string,
    message: string,
    { isTemporary = false, cause }: { isTemporary?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.name = 'PayProviderError'
    this.code = code
    this.isTemporary = isTemporary
  }
}

/** A notice that the provider did not send, or that was changed on its way. */
export class InvalidNotice extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InvalidNotice'
  }
}
