/**
 * A local server that speaks a payment provider's real protocol and checks our requests as the provider does, so that
 * payments can be tried from end to end. It misbehaves when it is told to.
 */
export interface PaySimulator {
  readonly url: string
  /** The settings of the group `pay` that connect a site to it. */
  readonly settings: Record<string, string>
  /** What it was asked, in order: `create`, `query`, `close`, `refund`, `bill` and the attempt's number. */
  readonly calls: readonly { call: string; attemptNo: string }[]
  /** Why it refused requests of ours; empty if every one was right. */
  readonly complaints: readonly string[]
  /** The buyer pays. Notices are sent by `notify`, so that a test decides when, and how often. */
  pay(attemptNo: string, paid?: PaidDifferently): void
  /** Sends the notice of a payment to the address that we gave, and gives our answer. */
  notify(attemptNo: string, fault?: NoticeFault): Promise<{ status: number; body: string }>
  notifyRefund(refundNo: string, fault?: NoticeFault): Promise<{ status: number; body: string }>
  /** The next so many requests of ours are answered wrongly. */
  misbehave(fault: AnswerFault, times?: number): void
  /** Decides about refunds, those that are processing too: done at once by default. */
  answerRefunds(state: 'done' | 'processing' | 'refused'): void
  /** A payment disappears from the bill, or one that we do not know stands in it. */
  changeBill(change: { forget?: string; add?: { attemptNo: string; fen: number } }): void
  close(): Promise<void>
}

/** What the provider says was paid, where it differs from what we asked for. */
export interface PaidDifferently {
  fen?: number
  currency?: string
  merchant?: string
  app?: string
}

export type NoticeFault =
  | 'wrong-key'
  | 'unknown-serial'
  | 'probe'
  | 'old-timestamp'
  | 'byte-changed'
  | 'duplicate-keys'
  | 'wrong-api-key'

export type AnswerFault = 'no-answer' | 'server-error' | 'wrong-signature' | 'not-json' | 'too-late'
