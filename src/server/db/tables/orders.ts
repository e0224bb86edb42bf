import type { OutlayAct, OutlayKind, OutlayState } from '#shared/outlays.ts'
import type { DownloadCodeKind, OrderStatus, OrderType, PaymentMethod, VipCard } from '#shared/enums.ts'
import type { Bit, Defaulted, Id, Stamps } from './column.ts'

/** `surplus`: paid, but its order was closed or paid already, or the buyer has the document. */
export type PaymentRowState = 'open' | 'paid' | 'surplus' | 'closed'
export type NoticeOutcome = 'settled' | 'repeated' | 'surplus' | 'refused'
export type RefundRowState = 'processing' | 'done' | 'refused'
export type DifferenceKind = 'missing-here' | 'missing-there' | 'other-amount'

export interface OrderTables {
  order: OrderTable
  payment: PaymentTable
  payment_notice: PaymentNoticeTable
  refund: RefundTable
  bill: BillTable
  bill_difference: BillDifferenceTable
  document_grant: DocumentGrantTable
  user_vip: UserVipTable
  download_code_batch: DownloadCodeBatchTable
  download_code: DownloadCodeTable
  reward_ticket: RewardTicketTable
  outlay: OutlayTable
}

/** Something bought, with its name and price as they were then. */
interface OrderTable extends Stamps {
  id: Id
  order_no: string
  user_id: number
  type: OrderType
  /** The document, or the card. */
  product_id: number
  product_name: string
  quantity: Defaulted<number>
  /** In credits, before the discount. */
  price: number
  /** In credits, to be paid. */
  amount: number
  coupon_amount: Defaulted<number>
  /** The price in fen: that of a card as it was set, that of everything else by the exchange rate of that time. */
  money: number
  /** The money that staff counted, where they confirmed it; null where `money` was paid. */
  received_money: Defaulted<number | null>
  /** Credits added to a top-up for nothing. */
  bonus: Defaulted<number>
  status: OrderStatus
  /** How it was paid; null until then. */
  payment_method: Defaulted<PaymentMethod | null>
  /** A payment came after it was closed, a second one, or one for a document that the buyer has: staff grant or refund it. */
  has_surplus: Defaulted<Bit>
  /** What went back so far. */
  refunded_money: Defaulted<number>
  refunded_credits: Defaulted<number>
  /** What the buyer wrote with a payment that staff confirm, and the picture. */
  claim: Defaulted<string>
  claim_picture: Defaulted<string>
  claim_method: Defaulted<PaymentMethod | null>
  claimed_at: Defaulted<number | null>
  /** By staff, for staff. */
  remark: Defaulted<string>
  /** The buyer has removed it from the list. */
  is_hidden: Defaulted<Bit>
  ip: Defaulted<string>
  /** Serializes what is done to one pending thing: two orders for it cannot wait at once. Empty once it is not pending. */
  pending_key: Defaulted<string>
  /** An idempotency key: what staff ask for twice is one order. Empty if there is none. */
  request_key: Defaulted<string>
  expired_at: number
  paid_at: Defaulted<number | null>
  closed_at: Defaulted<number | null>
}

/** An attempt to pay an order with a provider. */
interface PaymentTable extends Stamps {
  id: Id
  order_id: number
  attempt_no: string
  provider: string
  method: PaymentMethod
  merchant: string
  /** What the buyer pays with: each begins a payment in its own way. */
  client: string
  /** Of the buyer when it was begun: a payment is begun again with the same values. */
  ip: Defaulted<string>
  state: PaymentRowState
  money: number
  /** The provider's number; unique with the provider if not empty. */
  transaction_id: Defaulted<string>
  /** How the buyer pays, as JSON: shown again after a reload. */
  instruction: Defaulted<string>
  /** What the provider said last, without secrets. */
  answer: Defaulted<string>
  /** When it is asked about next; null when there is nothing more to ask. */
  ask_at: Defaulted<number | null>
  asked_count: Defaulted<number>
  paid_at: Defaulted<number | null>
}

/** What a provider told us about an attempt, and what became of it. */
interface PaymentNoticeTable {
  id: Id
  payment_id: number
  provider: string
  attempt_no: string
  outcome: NoticeOutcome
  /** In words, without secrets. */
  detail: Defaulted<string>
  created_at: number
}

interface RefundTable extends Stamps {
  id: Id
  order_id: number
  /** 0 for an order that was paid in credits. */
  payment_id: Defaulted<number>
  refund_no: string
  money: number
  /** Credits given back to the buyer, or taken back from a top-up. */
  credits: number
  /** Taken from the buyer of a top-up, or from the author of a document. */
  taken_credits: Defaulted<number>
  /** Credits that could not be taken back, because they were spent. */
  missing_credits: Defaulted<number>
  /** The day of the bill that it was found in, yyyy-mm-dd; empty until then. */
  bill_day: Defaulted<string>
  state: RefundRowState
  reason: string
  /** The provider's words. */
  answer: Defaulted<string>
  user_id: number
}

/** A provider's bill of a day that was compared with our orders. */
interface BillTable {
  provider: string
  /** yyyy-mm-dd in Beijing. */
  day: string
  payments: number
  money: number
  created_at: number
}

/** Between a provider's bill and our orders. */
interface BillDifferenceTable extends Stamps {
  id: Id
  provider: string
  /** yyyy-mm-dd in Beijing. */
  day: string
  kind: DifferenceKind
  entry: 'payment' | 'refund'
  attempt_no: string
  transaction_id: string
  order_no: Defaulted<string>
  our_money: number
  their_money: number
  is_handled: Defaulted<Bit>
  remark: Defaulted<string>
}

/** A member may download a document that was bought. */
interface DocumentGrantTable {
  id: Id
  user_id: number
  document_id: number
  order_id: number
  created_at: number
  /** By a refund. */
  revoked_at: Defaulted<number | null>
}

/** A card of a member: cards follow each other in time. */
interface UserVipTable extends Stamps {
  id: Id
  user_id: number
  type: VipCard
  order_id: Defaulted<number>
  order_no: Defaulted<string>
  /** Documents marked VIP that may be taken free; 0 for any number. */
  download: number
  download_used: Defaulted<number>
  /** Downloads a day; 0 for any number. */
  times: number
  /** Percent paid for other documents. */
  discount: number
  joined_at: number
  expired_at: number
  /** Why staff granted or ended it. */
  reason: Defaulted<string>
  reminded_at: Defaulted<number | null>
}

interface DownloadCodeBatchTable extends Stamps {
  id: Id
  kind: DownloadCodeKind
  count: number
  /** The highest price of a document; 0 for any. */
  max_price: Defaulted<number>
  /** Comma separated. */
  document_ids: Defaulted<string>
  credits: Defaulted<number>
  valid_from: number | null
  valid_until: number | null
  /** None of its codes can be used any more. */
  voided_at: Defaulted<number | null>
  note: Defaulted<string>
  user_id: number
}

interface DownloadCodeTable {
  id: Id
  batch_id: number
  /** The code itself is shown once, and never stored. */
  hash: string
  user_id: Defaulted<number>
  order_id: Defaulted<number>
  used_at: Defaulted<number | null>
}

/** A member is watching an advertisement. */
interface RewardTicketTable {
  user_id: number
  created_at: number
}

/** Credits, cards, codes and refunds that staff gave away, or ask to give away. */
interface OutlayTable extends Stamps {
  id: Id
  act: OutlayAct
  kind: OutlayKind
  /** The member of staff who gives. */
  user_id: number
  /** Its worth in fen. */
  money: number
  /** The outlay in words. */
  title: string
  /** The input of the call, as JSON: what was asked for is done when it has been approved. */
  input: Defaulted<string>
  /** The number of a refund: one that its provider refuses was none. */
  reference: Defaulted<string>
  state: OutlayState
  /** The person who approved or refused; the giver where the owner of the site went over a ceiling alone. */
  decided_by: Defaulted<number>
  decided_at: Defaulted<number | null>
  remark: Defaulted<string>
}
