import type { Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { Access, Contract, Endpoint, Input, Reply } from '#shared/endpoint.ts'
import { decode, queryToObject, strip } from '#shared/wire.ts'
import { errors } from '#shared/errors.ts'
import type { Ctx, MemberCtx } from '#server/context.ts'
import { admit } from './admit.ts'
import { invalidInput } from './errors.ts'

/** What an endpoint's access promises to its handler. */
type CtxOf<A extends Access> = A extends 'open' | 'public' ? Ctx : MemberCtx

export type Handler<E extends Endpoint> = (ctx: CtxOf<E['access']>, input: Input<E>) => Reply<E> | Promise<Reply<E>>

/** One handler for each endpoint: leaving one out does not compile. */
export type Handlers<C extends Contract> = { [K in keyof C]: Handler<C[K]> }

export type RequestCtx = (request: Context) => Promise<Ctx>

/** Binds a part of the contract to its handlers. */
export function mount<C extends Contract>(app: Hono, contract: C, handlers: Handlers<C>, contextOf: RequestCtx): void {
  for (const [name, endpoint] of Object.entries(contract)) {
    // The table's keys tie each handler to its endpoint; a loop over them cannot show that to the compiler.
    const handler = handlers[name] as unknown as Handler<Endpoint>
    app.on(endpoint.method, `/api/v1${endpoint.path}`, async (request) => {
      const ctx = admit(endpoint.access, await contextOf(request))
      const input = await readInput(endpoint, request)
      const reply = await handler(ctx, input)
      request.header('cache-control', 'no-store')
      return request.json(project(endpoint, strip(endpoint.reply, reply), input))
    })
  }
}

async function readInput(endpoint: Endpoint, request: Context): Promise<Input<Endpoint>> {
  const raw = endpoint.method === 'GET' || endpoint.method === 'DELETE' ? queryOf(request) : await bodyOf(request)
  const result = z.safeParse(endpoint.input, decode(endpoint.input, raw))
  if (!result.success) throw invalidInput(result.error.issues)
  return result.data
}

function queryOf(request: Context): unknown {
  return queryToObject(new URL(request.req.url).searchParams)
}

/** Some calls have no body at all; that is an empty one. */
async function bodyOf(request: Context): Promise<unknown> {
  const body = await request.req.text()
  if (body.trim() === '') return {}
  const json = parsed(body)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw errors.request.notObject()
  return json
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw errors.request.notJson()
  }
}

/**
 * `field` names the columns that a list's caller wants; unknown ones are ignored, none means all. Who made it is no column
 * and stays. A list is what has a total.
 */
function project({ reply: schema }: Endpoint, reply: unknown, input: Input<Endpoint>): object {
  const object = reply as Record<string, unknown>
  const fields: unknown = input.field
  const isList = schema instanceof z.ZodMiniObject && Object.hasOwn(schema.shape, 'total')
  if (!isList || !Array.isArray(fields) || fields.length === 0) return object
  const wanted = new Set<unknown>(['id', 'user', ...fields])
  const pick = (row: object) => Object.fromEntries(Object.entries(row).filter(([key]) => wanted.has(key)))
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, Array.isArray(value) ? value.map(pick) : value]),
  )
}
