/** What the product needs of an sms provider. One interface, one suite (sms-driver.test.ts). */
export interface SmsDriver {
  /**
   * Sends one message, once: no provider is idempotent, so that a second try could be a second message. Wrong settings are
   * an outcome too.
   */
  send(message: SmsMessage): Promise<SmsOutcome>
}

export const smsProviderNames = ['aliyun', 'tencent', 'baidu', 'huawei', 'haomas'] as const
export type SmsProviderName = (typeof smsProviderNames)[number]

export interface SmsMessage {
  /** Eleven digits, of the Chinese mainland. */
  mobile: string
  /** The provider's id of the template. */
  template: string
  /** Secret: neither in a record nor in a log. */
  code: string
  minutes: number
}

export type SmsOutcome =
  /** The provider has accepted it and charges for so many messages: a long text is several. */
  | { kind: 'sent'; segments: number }
  /** Not sent. The reason is for staff. */
  | { kind: 'refused'; reason: string }
  /** Nothing is known: it may arrive. */
  | { kind: 'unknown'; reason: string }

/** What drivers are made with; tests give another clock. */
export interface SmsEnvironment {
  now(): number
  /** Random, used once. */
  nonce(): string
  /** How long an answer may take; 10 seconds if it is not given. */
  timeoutMs?: number
}

export const refused = (reason: string): SmsOutcome => ({ kind: 'refused', reason })
export const sent = (segments = 1): SmsOutcome => ({ kind: 'sent', segments })
