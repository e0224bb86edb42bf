import { type Call, client } from '#shared/client.ts'
import { findRootId } from '#server/modules/access/access.queries.ts'
import { openSession } from '#server/modules/auth/sessions.ts'
import type { App } from '../app.ts'
import type { Ctx } from '../context.ts'
import { UsageError } from './command.ts'

/** A user of the site's own API, in this process. */
export interface Person {
  call: Call
  /** A request with the person's token. */
  send(path: string, init: RequestInit): Promise<Response>
}

const origin = 'http://localhost'
const unauthorized = 401

/** Commands do what root may do, and the audit log names root. */
export async function signInAsRoot(ctx: Ctx, app: App): Promise<Person> {
  const rootId = await findRootId(ctx.db)
  if (rootId === undefined) throw new UsageError('网站还没有管理员，请先用 npm start 启动一次')
  return signIn(ctx, app, rootId)
}

/** A changed password ends all sessions of its user: a new one is opened then. */
export async function signIn(ctx: Ctx, app: App, userId: number): Promise<Person> {
  let token = await openSession(ctx, userId, { way: 'command' })
  const withToken = (request: Request) => {
    const copy = new Request(request)
    copy.headers.set('authorization', `Bearer ${token}`)
    return app.fetch(copy)
  }
  const send = async (request: Request) => {
    const response = await withToken(request.clone())
    if (response.status !== unauthorized) return response
    token = await openSession(ctx, userId, { way: 'command' })
    return withToken(request)
  }
  return {
    call: client({ origin, fetch: send }),
    send: (path, init) => send(new Request(origin + path, init)),
  }
}
