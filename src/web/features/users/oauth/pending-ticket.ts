import * as z from 'zod/mini'
import { oauth } from '#shared/contract/oauth.ts'
import { fill } from '#shared/wire.ts'
import { perTab } from '#web/lib/browser/storage.ts'

/** An account of another site that this tab still has to bind: it outlives a visit to the login page, not the tab. */

const Ticket = z.object({
  ...oauth.miniProgramLogin.reply.shape.oauth.def.innerType.shape,
  redirect: z.string(),
  /** The visitor went to log in: on the way back there is nothing more to ask. */
  isBoundAfterLogin: z.boolean(),
})
export type PendingTicket = z.output<typeof Ticket>

const key = 'oauth-ticket'

export function readTicket(): PendingTicket | undefined {
  try {
    const { data } = z.safeParse(Ticket, fill(Ticket, JSON.parse(perTab.read(key) ?? 'null')))
    return data?.session ? data : undefined
  } catch {
    return undefined
  }
}

export function keepTicket(ticket: PendingTicket): void {
  perTab.write(key, JSON.stringify(ticket))
}

export function dropTicket(): void {
  perTab.remove(key)
}
