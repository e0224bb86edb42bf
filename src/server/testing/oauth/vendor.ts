import type { Grants, RegisteredApp } from './grants.ts'

/** Who sits at the browser, as the vendors know them. */
export interface VendorPerson {
  id: string
  name: string
  /** Verified by vendors that have addresses. */
  email: string
  unionid: string
}

/** What a vendor does instead of answering as it should. */
export type Lie = 'no-openid' | 'other-app' | 'other-person' | 'not-json' | 'down' | 'unverified-email'

export interface VendorRequest {
  path: string
  query: URLSearchParams
  form: URLSearchParams
  json: Record<string, unknown>
  headers: Headers
  person: VendorPerson
  lie: Lie | undefined
}

export interface VendorReply {
  status?: number
  type?: string
  body: string | Buffer
}

export interface Vendor {
  app: RegisteredApp
  grants: Grants
  /** The address that the browser is sent to, without the gateway. */
  authorizePath: string
  /** The name of the app's id in that address. */
  clientIdName?: string
  handle(request: VendorRequest): VendorReply | undefined
}

export function json(body: object, type = 'application/json; charset=utf-8', status = 200): VendorReply {
  return { body: JSON.stringify(body), type, status }
}
