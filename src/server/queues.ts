import { type DurableListeners, deliverTo } from './durable-events.ts'
import { checkPayloads, type JobHandlers, type JobKind, type JobSchedule, toSchedule } from './jobs.ts'
import type { JobHandler, Queue } from './jobs/worker.ts'
import { articleJobs } from './modules/articles/articles.jobs.ts'
import { deleteDraftsOfUsers } from './modules/articles/drafts/drafts.ts'
import { deleteLikesOfUsers } from './modules/articles/likes/likes.ts'
import { deleteVersionsOfUsers } from './modules/articles/versions/versions.ts'
import { attachmentJobs, attachmentSchedules } from './modules/attachments/attachments.jobs.ts'
import type { BackupDeps } from './modules/backups/backups.ts'
import { backupJobs, backupSchedules } from './modules/backups/backups.jobs.ts'
import type { Resumable } from './modules/attachments/uploads/resumable.ts'
import { auditJobs, auditSchedules } from './modules/audit/audit.jobs.ts'
import { deleteCollectionsOfUsers, removePurgedItems } from './modules/collections/collections.cleanup.ts'
import { deleteFollowsOfUsers, removePurgedNews, unfollowCollections } from './modules/follows/follows.cleanup.ts'
import { followJobs, followSchedules } from './modules/follows/follows.jobs.ts'
import { gatherItems, gatherPublications } from './modules/follows/follows.news.ts'
import { deleteFavoritesOfUsers, deleteRelated } from './modules/comments/delete-related.ts'
import { rewardRegistration } from './modules/credits/credits.rewards.ts'
import { documentJobs, documentSchedules } from './modules/documents/documents.jobs.ts'
import { sitemapJobs, sitemapSchedules } from './modules/feeds/sitemap.ts'
import { mailJobs, mailSchedules } from './modules/mail/mail.jobs.ts'
import { oauthJobs, oauthSchedules } from './modules/oauth/oauth.jobs.ts'
import { notificationJobs, notificationSchedules } from './modules/notifications/notifications.jobs.ts'
import { notificationListeners } from './modules/notifications/listeners.ts'
import { orderJobs, orderSchedules } from './modules/orders/orders.jobs.ts'
import { privacyJobs, privacySchedules } from './modules/privacy/privacy.jobs.ts'
import { removeExportsOfUsers } from './modules/privacy/export/purge.ts'
import { deleteReadingOfDocuments, deleteReadingOfUsers } from './modules/reading/reading.listeners.ts'
import type { ConversionDeps } from './modules/renditions/convert.ts'
import { renditionJobs, renditionSchedules } from './modules/renditions/renditions.jobs.ts'
import { searchJobs, searchSchedules } from './modules/search/search.jobs.ts'
import type { SpiderDeps } from './modules/spider/crawl/deps.ts'
import { spiderJobs, spiderSchedules } from './modules/spider/spider.jobs.ts'
import { smsJobs, smsSchedules } from './modules/sms/sms.jobs.ts'
import { statsJobs, statsSchedules } from './modules/stats/stats.jobs.ts'
import type { ReleaseConfig } from './modules/system/release.ts'
import { systemJobs, systemSchedules } from './modules/system/system.jobs.ts'
import { removeFromTopics } from './modules/topics/topics.edit.ts'
import { userJobs, userSchedules } from './modules/users/users.jobs.ts'
import { vipJobs, vipSchedules } from './modules/vip/vip.jobs.ts'

interface Deps {
  resumable: Resumable
  releases: ReleaseConfig
  backups: BackupDeps
  conversion: ConversionDeps
  spider: SpiderDeps
  /** How many conversions of one owner run at a time. */
  processes: number
}

/** Listeners of durable events. */
const durableListeners: DurableListeners = {
  'user.registered': [(ctx, { id }) => rewardRegistration(ctx, id)],
  ...notificationListeners,
  'content.published': [gatherPublications],
  'collections.extended': [gatherItems],
  'collections.deleted': [unfollowCollections],
  'users.deleted': [
    deleteDraftsOfUsers,
    deleteVersionsOfUsers,
    deleteLikesOfUsers,
    deleteFavoritesOfUsers,
    deleteReadingOfUsers,
    deleteCollectionsOfUsers,
    deleteFollowsOfUsers,
    removeExportsOfUsers,
    ...notificationListeners['users.deleted'],
  ],
  'content.purged': [deleteRelated, deleteReadingOfDocuments, removePurgedItems, removePurgedNews, removeFromTopics],
}

export const schedules: JobSchedule[] = [
  ...auditSchedules,
  ...mailSchedules,
  ...systemSchedules,
  ...smsSchedules,
  ...statsSchedules,
  ...userSchedules,
  ...oauthSchedules,
  ...attachmentSchedules,
  ...renditionSchedules,
  ...documentSchedules,
  ...vipSchedules,
  ...orderSchedules,
  ...spiderSchedules,
  ...searchSchedules,
  ...followSchedules,
  ...sitemapSchedules,
  ...notificationSchedules,
  ...privacySchedules,
  ...backupSchedules,
]

/** The setting says how many of them are used. */
const maxCrawledHosts = 8

/** Kinds that have slots of their own; all others share one. */
function separateQueues(processes: number): (Omit<Queue, 'handlers'> & { kinds: JobKind[] })[] {
  return [
    // One owner's conversions, however long they take, leave a slot for the others.
    { kinds: ['renditions.convert'], concurrency: processes + 1, maxPerOwner: processes },
    { kinds: ['renditions.convert-office'], concurrency: processes + 1, maxPerOwner: processes },
    // One process stays free for readers.
    { kinds: ['renditions.extract-text', 'renditions.prerender'], concurrency: Math.max(1, processes - 1) },
    // No reader waits for it, and a large workbook keeps LibreOffice busy for a while.
    { kinds: ['renditions.extract-table'], concurrency: 1 },
    // Edits are indexed at once, however much is being checked or indexed again.
    { kinds: ['search.index-documents'], concurrency: 1 },
    { kinds: ['search.check-documents'], concurrency: 1 },
    { kinds: ['search.index-articles', 'search.check-articles'], concurrency: 2 },
    // A share of its own: neither people's uploads nor anything else waits for the crawler.
    { kinds: ['spider.crawl-host'], concurrency: maxCrawledHosts },
    { kinds: ['spider.publish'], concurrency: 1 },
    // An author may have a hundred thousand followers.
    { kinds: ['notifications.followers'], concurrency: 1 },
    // May take minutes, and nothing waits for it.
    { kinds: ['search.optimize', 'search.renew-keywords', 'search.renew-article-keywords'], concurrency: 1 },
    // Of a large library, each may take long.
    { kinds: ['privacy.export', 'privacy.delete-account'], concurrency: 2, maxPerOwner: 1 },
    // Reads the whole site, which may take hours.
    { kinds: ['backups.make'], concurrency: 1 },
    // A slow mail server delays mails alone.
    { kinds: ['mail.send'], concurrency: 2 },
  ]
}

/** All background work. */
export function jobQueues({ resumable, releases, backups, conversion, spider, processes }: Deps): Queue[] {
  const typed: JobHandlers = {
    'events.deliver': deliverTo(durableListeners),
    ...auditJobs,
    ...mailJobs,
    ...systemJobs(releases),
    ...smsJobs,
    ...statsJobs,
    ...userJobs,
    ...oauthJobs,
    ...attachmentJobs(resumable),
    ...renditionJobs(conversion),
    ...documentJobs,
    ...vipJobs,
    ...orderJobs,
    ...articleJobs,
    ...spiderJobs(spider),
    ...searchJobs,
    ...followJobs,
    ...sitemapJobs,
    ...notificationJobs,
    ...privacyJobs,
    ...backupJobs(backups),
  }
  const handlers = new Map(Object.entries(checkPayloads(typed)))
  const take = (kinds: readonly string[]): Record<string, JobHandler> => {
    const taken = [...handlers].filter(([kind]) => kinds.includes(kind))
    for (const [kind] of taken) handlers.delete(kind)
    return Object.fromEntries(taken)
  }
  const separate = separateQueues(processes).map(({ kinds, ...queue }) => ({ handlers: take(kinds), ...queue }))
  return [{ handlers: Object.fromEntries(handlers), schedules: schedules.map(toSchedule), concurrency: 1 }, ...separate]
}
