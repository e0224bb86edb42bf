import type { Settings } from '#shared/settings.ts'
import type { Db } from '#server/db/open.ts'
import type { Mail } from '#server/gateways/mail.ts'

/** In the settings table, in a category that the settings form does not have. */
const name = { category: 'mail', name: 'delivered_with' }

/** Remembers the last mail server that accepted a mail: the proof that its settings work. */
export function rememberDeliveries(mail: Mail, { db, now }: { db: Db; now: () => number }): Mail {
  let remembered = ''
  const remember = async (server: string): Promise<void> => {
    if (server === remembered) return
    const row = { value: server, updated_at: now() }
    await db
      .insertInto('setting')
      .values({ ...name, ...row })
      .onConflict((conflict) => conflict.columns(['category', 'name']).doUpdateSet(row))
      .execute()
    remembered = server
  }
  return {
    async send(settings, ...message) {
      const delivery = await mail.send(settings, ...message)
      // Not awaited: the caller may be in a transaction, which this write would wait for.
      if (delivery.accepted) void remember(describeServer(settings)).catch(() => {})
      return delivery
    },
  }
}

/** Whether the current mail server has accepted a mail. */
export async function hasDelivered(db: Db, settings: Settings): Promise<boolean> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('category', '=', name.category)
    .where('name', '=', name.name)
    .executeTakeFirst()
  return settings.email.enable && row?.value === describeServer(settings)
}

function describeServer({ email: { host, port, username } }: Settings): string {
  return `${username}@${host}:${port}`
}
