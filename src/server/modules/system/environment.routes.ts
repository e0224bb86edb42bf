import type { environment } from '#shared/contract/system.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { Ctx } from '#server/context.ts'
import type { Handlers } from '#server/http/api/mount.ts'

const keptMs = 60_000

type Looked = Reply<typeof environment.envs>

/** Looking means starting every program once: a screen that is reloaded does not do that each time. */
const looked = new WeakMap<Ctx['converter'], { at: number; reply: Promise<Looked> }>()

export const environmentRoutes: Handlers<typeof environment> = {
  envs({ converter, now }) {
    const known = looked.get(converter)
    if (known && now() - known.at < keptMs) return known.reply
    const at = now()
    const reply = converter.tools().then((tools) => ({ envs: tools.map((tool) => ({ ...tool, checked_at: at })) }))
    looked.set(converter, { at, reply })
    reply.catch(() => looked.delete(converter))
    return reply
  },
}
