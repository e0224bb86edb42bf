import type { checklist, ChecklistKey } from '#shared/contract/checklist.ts'
import type { Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { administratorsId, type PermissionPath } from '#shared/permissions.ts'
import { defaultSettings, type Settings } from '#shared/settings.ts'
import { findLastBackup } from '#server/backup/last-backup.ts'
import { type Ctx, transaction } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { findAgreement } from '#server/modules/articles/articles.seed.ts'
import { findDefaultGroup } from '#server/modules/access/groups.queries.ts'
import { findGenerousGroups, findMissingGroups } from '#server/modules/access/ready-made-groups.ts'
import { countTrialOrders } from '#server/modules/orders/trial.ts'
import { findPayProblems } from '#shared/pay-problems.ts'
import { questionPricesInForce } from '#shared/price-questions.ts'
import { hasDelivered } from '#server/modules/mail/delivered.ts'

type Checklist = Reply<typeof checklist.get>

/** Settings that the site's machine is given at the start. */
export interface Place {
  /** Empty for the machine's. */
  timeZone: string
  keyFile: string
}

interface Facts {
  settings: Settings
  place: Place
  agreement: Awaited<ReturnType<typeof findAgreement>>
  hasStaff: boolean
  hasSecondFactor: boolean
  members: Checklist['members']
  hasMailed: boolean
  hasCategory: boolean
  hasDocument: boolean
  missingGroups: string[]
  generousGroups: Checklist['generous_groups']
  hasRecentBackup: boolean
  paymentProblems: string[]
  priceQuestions: string[]
  trialOrders: number
}

interface Item {
  key: ChecklistKey
  /** It stands on the list only then. */
  isNeeded?(facts: Facts): boolean
  /** Needed to do it, beside the permission to change settings. */
  permission?: PermissionPath
  isDone(facts: Facts): boolean
}

const defaults = defaultSettings()
const recentMs = 30 * 24 * 60 * 60_000

const basicItems: readonly Item[] = [
  { key: 'name', isDone: ({ settings: { system } }) => system.sitename !== defaults.system.sitename },
  { key: 'logo', isDone: ({ settings: { system } }) => system.logo !== '' },
  { key: 'domain', isDone: ({ settings: { system } }) => system.domain !== '' },
  { key: 'https', isDone: ({ settings: { system } }) => system.domain.startsWith('https://') },
  { key: 'mail', isDone: ({ hasMailed }) => hasMailed },
  { key: 'icp', isDone: ({ settings: { system } }) => system.icp !== '' },
  { key: 'agreement', permission: 'ArticleAPI/UpdateArticle', isDone: ({ agreement }) => agreement.isOwn },
  { key: 'time_zone', isDone: ({ place }) => place.timeZone !== '' || new Date().getTimezoneOffset() !== 0 },
  { key: 'categories', permission: 'CategoryAPI/CreateCategory', isDone: ({ hasCategory }) => hasCategory },
]

/** Things that hinder payments, are left of trying them out, or may be wrong with money; first, as money waits for them. */
const paymentItems: readonly Item[] = [
  { key: 'payment', isNeeded: ({ paymentProblems }) => paymentProblems.length > 0, isDone: () => false },
  {
    key: 'trial',
    permission: 'OrderAPI/RefundOrder',
    isNeeded: ({ settings: { pay }, trialOrders }) => pay.test_mode || trialOrders > 0,
    isDone: () => false,
  },
  { key: 'prices', isNeeded: ({ priceQuestions }) => priceQuestions.length > 0, isDone: () => false },
  {
    key: 'givers',
    permission: 'GroupAPI/UpdateGroupPermission',
    isNeeded: ({ generousGroups }) => generousGroups.length > 0,
    isDone: () => false,
  },
]

/** There is no wrong answer to it: the owner says that it is right. */
const membersItem: Item = { key: 'members', permission: 'GroupAPI/UpdateGroup', isDone: () => false }

const lastItems: readonly Item[] = [
  { key: 'staff', permission: 'UserAPI/SetUser', isDone: ({ hasStaff }) => hasStaff },
  { key: 'second_factor', isDone: ({ hasSecondFactor }) => hasSecondFactor },
  // Only the owner knows where a copy is.
  { key: 'secret_key', isDone: ({ place }) => place.keyFile === '' },
  { key: 'backup', isDone: ({ hasRecentBackup }) => hasRecentBackup },
  { key: 'document', isDone: ({ hasDocument }) => hasDocument },
]

/** What new sites start with, for those that were there before. */
const offers: readonly Item[] = [
  {
    key: 'offer_upload',
    permission: 'GroupAPI/UpdateGroup',
    isDone: ({ members }) => members.enable_upload,
  },
  {
    key: 'offer_review',
    permission: 'GroupAPI/UpdateGroup',
    isDone: ({ members }) => members.enable_article && members.enable_article_approval,
  },
  { key: 'offer_whole', isDone: ({ settings: { converter } }) => converter.max_preview_free === 0 },
  { key: 'offer_scroll', isDone: ({ settings: { display } }) => display.pages_per_read === 0 },
  {
    key: 'offer_groups',
    permission: 'GroupAPI/CreateGroup',
    isDone: ({ missingGroups }) => missingGroups.length === 0,
  },
]

/** What the viewer may do of it, with its state by the site's data. */
export async function getChecklist(ctx: Ctx, place: Place): Promise<Checklist> {
  const [notes, facts, last_backup_at] = await Promise.all([
    readNotes(ctx.db),
    findFacts(ctx, place),
    findLastBackup(ctx.db),
  ])
  const hasRecentBackup = last_backup_at !== null && ctx.now() - last_backup_at < recentMs
  const items = notes.has('upgraded')
    ? [...paymentItems, ...offers, ...basicItems, ...lastItems]
    : [...paymentItems, ...basicItems, membersItem, ...lastItems]
  return {
    dismissed: notes.has('dismissed'),
    item: items
      .filter(({ permission }) => permission === undefined || ctx.viewer.can(permission))
      .filter(({ isNeeded }) => isNeeded?.({ ...facts, hasRecentBackup }) ?? true)
      .map(({ key, isDone }) => ({
        key,
        is_done: isDone({ ...facts, hasRecentBackup }),
        is_settled: notes.has(settledNote(key)),
      })),
    members: facts.members,
    last_backup_at,
    payment_problems: facts.paymentProblems,
    price_questions: facts.priceQuestions,
    missing_groups: facts.missingGroups,
    generous_groups: facts.generousGroups,
    trial_orders: facts.trialOrders,
    is_trial_on: facts.settings.pay.test_mode,
    time_zone: place.timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
    key_file: place.keyFile,
    agreement_id: facts.agreement.id,
  }
}

export function setSettled(ctx: Ctx, key: ChecklistKey, isSettled: boolean): Promise<void> {
  return writeNote(ctx, settledNote(key), isSettled)
}

export function setDismissed(ctx: Ctx, isDismissed: boolean): Promise<void> {
  return writeNote(ctx, 'dismissed', isDismissed)
}

async function findFacts({ db, settings, viewer }: Ctx, place: Place): Promise<Omit<Facts, 'hasRecentBackup'>> {
  const [group, category, document, missingGroups, generousGroups, hasMailed, agreement, staff, trialOrders] =
    await Promise.all([
      findDefaultGroup(db),
      db.selectFrom('category').select('id').limit(1).executeTakeFirst(),
      db.selectFrom('document').select('id').where('deleted_at', 'is', null).limit(1).executeTakeFirst(),
      findMissingGroups(db),
      findGenerousGroups(db),
      hasDelivered(db, settings),
      findAgreement(db),
      db
        .selectFrom('user_group')
        .innerJoin('user', 'user.id', 'user_group.user_id')
        .select('user.id')
        .where('user.is_root', '=', 0)
        .where((eb) =>
          eb.or([
            eb('user_group.group_id', '=', administratorsId),
            eb('user_group.group_id', 'in', eb.selectFrom('group_permission').select('group_id')),
          ]),
        )
        .limit(1)
        .executeTakeFirst(),
      countTrialOrders({ db }),
    ])
  if (!group) throw errors.groups.notFound()
  return {
    settings,
    place,
    agreement,
    hasStaff: staff !== undefined,
    hasSecondFactor: viewer.hasSecondFactor,
    paymentProblems: findPayProblems(settings),
    priceQuestions: settings.vip.enable
      ? questionPricesInForce(
          { vip: settings.vip, creditsPerYuan: settings.score.credit_exchange },
          settings.score.credit_name,
        )
      : [],
    trialOrders,
    hasMailed,
    hasCategory: category !== undefined,
    hasDocument: document !== undefined,
    missingGroups,
    generousGroups,
    members: {
      group_id: group.id,
      group_title: group.title,
      enable_register: settings.security.enable_register,
      enable_upload: group.enable_upload === 1,
      enable_document_review: group.enable_document_review === 1,
      enable_article: group.enable_article === 1,
      enable_article_approval: group.enable_article_approval === 1,
    },
  }
}

const category = 'checklist'

function settledNote(key: ChecklistKey): string {
  return `settled:${key}`
}

/** In the settings table, in a category that the settings form does not have. */
async function readNotes(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('setting').select('name').where('category', '=', category).execute()
  return new Set(rows.map(({ name }) => name))
}

function writeNote(ctx: Ctx, name: string, isSet: boolean): Promise<void> {
  return transaction(ctx, async ({ db, now }) => {
    await db.deleteFrom('setting').where('category', '=', category).where('name', '=', name).execute()
    if (isSet) await db.insertInto('setting').values({ category, name, value: '1', updated_at: now() }).execute()
  })
}
