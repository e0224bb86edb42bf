import type { machine } from '#shared/contract/system.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, transaction } from '#server/context.ts'
import {
  latestRelease,
  type PublishedRelease,
  type Publisher,
  type Publishers,
  publishers,
  ReleaseError,
} from '#server/gateways/releases.ts'
import { version } from '#server/version.ts'

type Release = Reply<typeof machine.release>
type Source = Input<typeof machine.setReleaseSource>['source']

/** Where newer versions are looked for: `owner/name`, or nowhere. */
export interface ReleasePlace {
  repository: string
  origins?: Publishers
}

const askedBy: Record<string, Publisher[] | undefined> = {
  none: [],
  github: ['github'],
  gitee: ['gitee'],
}
const everyone: Publisher[] = ['gitee', 'github']

export async function knownRelease({ db }: Ctx, { repository }: ReleasePlace): Promise<Release> {
  const rows = await db.selectFrom('setting').select(['name', 'value']).where('category', '=', 'release').execute()
  const kept = new Map(rows.map(({ name, value }) => [name, value]))
  const text = (name: string) => kept.get(name) ?? ''
  const time = (name: string) => Number(text(name)) || null
  return {
    tag_name: text('tag_name'),
    name: text('name'),
    body: text('body'),
    release_at: time('release_at'),
    ignore: text('ignore'),
    source: text('source') || 'auto',
    current: version,
    repository,
    checked_at: time('checked_at'),
  }
}

const freshMs = 60_000

/** Somebody asks by hand, perhaps again and again: what was heard within a minute is the answer. */
export async function recentRelease(ctx: Ctx, place: ReleasePlace): Promise<Release> {
  const known = await knownRelease(ctx, place)
  const isFresh = known.checked_at !== null && Math.abs(ctx.now() - known.checked_at) < freshMs
  return isFresh && place.repository !== '' && known.source !== 'none' ? known : checkRelease(ctx, place)
}

/** Asks now, and keeps the answer. */
export async function checkRelease(ctx: Ctx, place: ReleasePlace): Promise<Release> {
  if (place.repository === '') throw errors.releases.noRepository()
  const { source } = await knownRelease(ctx, place)
  const asked = askedBy[source] ?? everyone
  if (asked.length === 0) throw errors.releases.off()
  const { tag_name, name, body, release_at } = await newestOf(asked, place)
  await keep(ctx, {
    tag_name,
    name,
    body,
    release_at: String(release_at ?? ''),
    checked_at: String(ctx.now()),
  })
  return knownRelease(ctx, place)
}

/** Nobody has asked for it: that nothing was found out is for the log. */
export async function checkReleaseQuietly(ctx: Ctx, place: ReleasePlace): Promise<void> {
  if (place.repository === '' || (await knownRelease(ctx, place)).source === 'none') return
  await checkRelease(ctx, place).catch((error: unknown) => ctx.log.info({ error }, 'no news of releases'))
}

export async function setReleaseSource(ctx: Ctx, source: Source): Promise<void> {
  // What another publisher said is no answer any more.
  await keep(ctx, { source, checked_at: '' })
}

export async function ignoreRelease(ctx: Ctx, tag: string): Promise<void> {
  await keep(ctx, { ignore: tag })
}

const nothingReleased: PublishedRelease = { tag_name: '', name: '', body: '', release_at: null }

/** A mirror may be behind, or out of reach: the latest that anybody knows of. */
async function newestOf(asked: readonly Publisher[], place: ReleasePlace): Promise<PublishedRelease> {
  const { repository, origins = publishers } = place
  const answers = await Promise.allSettled(asked.map((publisher) => latestRelease(origins[publisher], repository)))
  const heard = answers.filter((answer) => answer.status === 'fulfilled').map(({ value }) => value)
  if (heard.length === 0) throw errors.releases.unreachable(reasonOf(answers))
  const [newest] = heard
    .filter((release) => release !== undefined)
    .toSorted((a, b) => (b.release_at ?? 0) - (a.release_at ?? 0))
  return newest ?? nothingReleased
}

function reasonOf(answers: readonly PromiseSettledResult<unknown>[]): string {
  const faults: unknown[] = answers.map((answer) => (answer.status === 'rejected' ? answer.reason : undefined))
  const said = faults.find((fault) => fault instanceof ReleaseError)
  if (!said) throw faults[0]
  return said.message
}

/** In the settings' table, under a name that the settings' form does not know. */
async function keep(ctx: Ctx, values: Record<string, string>): Promise<void> {
  await transaction(ctx, async (ctx) => {
    for (const [name, value] of Object.entries(values)) {
      const row = { value, updated_at: ctx.now() }
      await ctx.db
        .insertInto('setting')
        .values({ category: 'release', name, ...row })
        .onConflict((conflict) => conflict.columns(['category', 'name']).doUpdateSet(row))
        .execute()
    }
  })
}
