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

export interface ReleaseConfig {
  /** `owner/name`, or empty: releases are then not checked. */
  repository: string
  origins?: Publishers
}

const publishersBySource: Record<string, Publisher[] | undefined> = {
  none: [],
  github: ['github'],
  gitee: ['gitee'],
}
const allPublishers: Publisher[] = ['gitee', 'github']

/** Existing clients show the name and the notes of the latest release, whatever they say. */
const uncheckedRelease = {
  tag_name: version,
  name: '没有检查新版本',
  body: '未设置发布仓库，这份程序也不是从 GitHub 或 Gitee 克隆的，所以不会检查新版本。需要时用环境变量 RELEASE_REPOSITORY 设置，写成“所有者/名称”。',
  release_at: null,
  checked_at: null,
}

export async function getStoredRelease({ db }: Ctx, { repository }: ReleaseConfig): Promise<Release> {
  const rows = await db.selectFrom('setting').select(['name', 'value']).where('category', '=', 'release').execute()
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const text = (name: string) => values.get(name) ?? ''
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
    ...(repository === '' && uncheckedRelease),
  }
}

const freshMs = 60_000

/** For requests by staff: a result of the last minute is not fetched again. */
export async function getRecentRelease(ctx: Ctx, config: ReleaseConfig): Promise<Release> {
  const stored = await getStoredRelease(ctx, config)
  if (config.repository === '') return stored
  const isFresh = stored.checked_at !== null && Math.abs(ctx.now() - stored.checked_at) < freshMs
  return isFresh && stored.source !== 'none' ? stored : checkRelease(ctx, config)
}

/** Fetches the latest release and stores it. */
export async function checkRelease(ctx: Ctx, config: ReleaseConfig): Promise<Release> {
  const { source } = await getStoredRelease(ctx, config)
  const chosen = publishersBySource[source] ?? allPublishers
  if (chosen.length === 0) throw errors.releases.off()
  const { tag_name, name, body, release_at } = await findNewest(chosen, config)
  await storeValues(ctx, {
    tag_name,
    name,
    body,
    release_at: String(release_at ?? ''),
    checked_at: String(ctx.now()),
  })
  return getStoredRelease(ctx, config)
}

/** For the schedule: errors are only logged. */
export async function checkReleaseQuietly(ctx: Ctx, config: ReleaseConfig): Promise<void> {
  if (config.repository === '' || (await getStoredRelease(ctx, config)).source === 'none') return
  await checkRelease(ctx, config).catch((error: unknown) => ctx.log.info({ error }, 'release check failed'))
}

export async function setReleaseSource(ctx: Ctx, source: Source): Promise<void> {
  // The result of another publisher no longer counts.
  await storeValues(ctx, { source, checked_at: '' })
}

export async function ignoreRelease(ctx: Ctx, tag: string): Promise<void> {
  await storeValues(ctx, { ignore: tag })
}

const nothingReleased: PublishedRelease = { tag_name: '', name: '', body: '', release_at: null }

/** The latest release of all publishers, as a mirror may be behind or unreachable. */
async function findNewest(chosen: readonly Publisher[], config: ReleaseConfig): Promise<PublishedRelease> {
  const { repository, origins = publishers } = config
  const answers = await Promise.allSettled(chosen.map((publisher) => latestRelease(origins[publisher], repository)))
  const releases = answers.filter((answer) => answer.status === 'fulfilled').map(({ value }) => value)
  if (releases.length === 0) throw errors.releases.unreachable(describeFailure(answers))
  const [newest] = releases
    .filter((release) => release !== undefined)
    .toSorted((a, b) => (b.release_at ?? 0) - (a.release_at ?? 0))
  return newest ?? nothingReleased
}

function describeFailure(answers: readonly PromiseSettledResult<unknown>[]): string {
  const causes: unknown[] = answers.map((answer) => (answer.status === 'rejected' ? answer.reason : undefined))
  const error = causes.find((cause) => cause instanceof ReleaseError)
  if (!error) throw causes[0]
  return error.message
}

/** In the settings table, in a category that the settings form does not have. */
async function storeValues(ctx: Ctx, values: Record<string, string>): Promise<void> {
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
