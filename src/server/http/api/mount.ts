import type { Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { Access, Contract, Endpoint, Input, Reply } from '#shared/endpoint.ts'
import { type FileReply, isFile } from '#shared/fields.ts'
import { decode, queryToObject, strip } from '#shared/wire.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { admit } from './admit.ts'
import { toContentDisposition } from '../files/ranges.ts'
import { invalidInput } from './errors.ts'
import { parseBody } from './json-body.ts'
import { limitBody } from './limits.ts'

/** The context that an endpoint's access guarantees. */
type CtxOf<A extends Access> = A extends 'open' | 'public' ? Ctx : MemberCtx

export type Handler<E extends Endpoint> = (ctx: CtxOf<E['access']>, input: Input<E>) => Reply<E> | Promise<Reply<E>>

/** One handler for each endpoint: leaving one out does not compile. */
export type Handlers<C extends Contract> = { [K in keyof C]: Handler<C[K]> }
/** One table of handlers for each part of the contract. */
export type AllHandlers<C extends Record<string, Contract>> = { [A in keyof C]: Handlers<C[A]> }

/** Records audited calls; see `modules/audit`. */
export type OpenAuditTrail = (
  ctx: Ctx,
  call: { area: string; action: string; input: Record<string, unknown> },
) => Promise<{
  ctx: Pick<Ctx, 'audit' | 'beforeCommit'>
  finish(ctx: Ctx, reply: unknown): Promise<void>
}>

interface MountOptions {
  contextOf: (request: Context) => Promise<Ctx>
  openAuditTrail: OpenAuditTrail
}

/** For rules that only succeed or throw. */
export function emptyReply<C, I>(
  rule: (ctx: C, input: I) => Promise<void>,
): (ctx: C, input: I) => Promise<Record<string, never>> {
  return async (ctx, input) => {
    await rule(ctx, input)
    return {}
  }
}

/** Binds the contract to its handlers. */
export function mount<C extends Record<string, Contract>>(
  app: Hono,
  contract: C,
  handlers: AllHandlers<C>,
  { contextOf, openAuditTrail }: MountOptions,
): void {
  for (const [area, endpoints] of Object.entries(contract)) {
    for (const [action, endpoint] of Object.entries(endpoints)) {
      // The keys tie each handler to its endpoint, which a loop cannot express.
      const handler = handlers[area]?.[action] as unknown as Handler<Endpoint>
      app.on(endpoint.method, `/api/v1${endpoint.path}`, limitBody(endpoint.bodyLimit), async (request) => {
        const ctx = admit(endpoint.access, await contextOf(request), endpoint.proof) as MemberCtx
        const input = await readInput(endpoint, request)
        const trail = isAudited(endpoint, ctx) ? await openAuditTrail(ctx, { area, action, input }) : undefined
        const reply = await handler({ ...ctx, ...trail?.ctx }, input)
        await trail?.finish(ctx, reply)
        request.header('cache-control', 'no-store')
        if (isFile(endpoint.reply)) return sendFile(request, reply as FileReply)
        return sendJson(request, project(endpoint, strip(endpoint.reply, reply), input))
      })
    }
  }
}

/** Changes that staff make by right of a permission. */
function isAudited(endpoint: Endpoint, { viewer }: Ctx): boolean {
  return isAuditable(endpoint) && (viewer.isStaff || !endpoint.staffMayActForOthers)
}

export function isAuditable({ method, access, staffMayActForOthers = false }: Endpoint): boolean {
  return method !== 'GET' && (typeof access === 'object' || staffAccess.has(access) || staffMayActForOthers)
}

const staffAccess = new Set<Access>(['staff', 'administrator', 'root'])

/** With its length: the middleware that compresses leaves a short reply as it is, and Node writes it at once. */
function sendJson(request: Context, reply: unknown): Response {
  const body = JSON.stringify(reply)
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  return request.body(body, 200, headers)
}

function sendFile(request: Context, { name, type, body }: FileReply): Response {
  return request.body(body as ReadableStream, 200, {
    'content-type': type,
    'content-disposition': toContentDisposition(name),
  })
}

async function readInput(endpoint: Endpoint, request: Context): Promise<Input<Endpoint>> {
  const raw = await readRaw(endpoint, request)
  const result = z.safeParse(endpoint.input, decode(endpoint.input, raw))
  if (!result.success) throw invalidInput(result.error.issues)
  return result.data
}

/** Older clients send all of a DELETE in the address; what must not stand there may come in the body. */
async function readRaw({ method }: Endpoint, request: Context): Promise<object> {
  if (method === 'GET') return readQuery(request)
  if (method === 'DELETE') return { ...readQuery(request), ...(await readBody(request)) }
  return readBody(request)
}

function readQuery(request: Context): object {
  return queryToObject(new URL(request.req.url).searchParams)
}

async function readBody({ req }: Context): Promise<object> {
  return parseBody(new Uint8Array(await req.arrayBuffer()))
}

/**
 * Keeps the columns that a list request names in `field`; unknown ones are ignored, none means all. What is not a column
 * stays: clients build addresses of pictures from it. A list is a reply with a total.
 */
function project({ reply: schema }: Endpoint, reply: unknown, input: Input<Endpoint>): object {
  const object = reply as Record<string, unknown>
  const fields: unknown = input.field
  const isList = schema instanceof z.ZodMiniObject && Object.hasOwn(schema.shape, 'total')
  if (!isList || !Array.isArray(fields) || fields.length === 0) return object
  const columns = new Set<unknown>(['id', 'user', 'attachment', 'cover', ...fields])
  const pick = (row: object) => Object.fromEntries(Object.entries(row).filter(([key]) => columns.has(key)))
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, Array.isArray(value) ? value.map(pick) : value]),
  )
}
