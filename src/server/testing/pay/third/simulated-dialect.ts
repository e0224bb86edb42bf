import type { NoticeFault } from '../pay-simulator.ts'
import type { GatewayOrder, GatewayOrders } from './gateway-orders.ts'

/** A dialect from the gateway's side. */
export interface SimulatedDialect {
  /** The settings of a merchant. */
  settings: Record<string, string>
  /** By `METHOD /path`. */
  endpoints: Record<string, Endpoint>
  notice(order: GatewayOrder, fault?: NoticeFault): SimulatedNotice
  /** What is added to the address that the buyer returns to. */
  returnQuery(order: GatewayOrder): string
}

export interface Endpoint {
  call: 'create' | 'query' | 'close' | 'refund'
  /** Opened by the buyer's browser, which is led to the cashier. */
  isPage?: true
  /** The answer's JSON; throws a Refusal. */
  answer(request: SimulatedRequest): Record<string, unknown>
  /** How a refusal is told. */
  refuse(message: string, isForged: boolean): Record<string, unknown>
}

export interface SimulatedRequest {
  fields: Record<string, string>
  orders: GatewayOrders
  /** The address of the page on which the buyer pays. */
  cashier(attemptNo: string): string
  /** The answer is to be signed with a key that is not the gateway's. */
  isForged: boolean
}

/** The query of a GET, or the form of a POST. */
export interface SimulatedNotice {
  method: 'GET' | 'POST'
  fields: string
}

/** Signs the fields of a notice and damages them as it was told to. */
export function noticeFields(
  fields: Record<string, string>,
  sign: (fields: Record<string, string>, isForged: boolean) => Record<string, string>,
  fault?: NoticeFault,
): string {
  const isForged =
    fault !== undefined && fault !== 'byte-changed' && fault !== 'duplicate-keys' && fault !== 'old-timestamp'
  const form = new URLSearchParams(sign(fields, isForged))
  if (fault === 'byte-changed') form.set('trade_no', `${form.get('trade_no') ?? ''}1`)
  if (fault === 'duplicate-keys') for (const [name, value] of [...form].slice(0, 1)) form.append(name, value)
  return String(form)
}
