import { contract } from '#shared/contract/contract.ts'
import type { AllHandlers } from './http/api/mount.ts'
import { groupRoutes } from './modules/access/groups.routes.ts'
import { permissionRoutes } from './modules/access/permissions.routes.ts'
import { punishmentRoutes } from './modules/access/punishments.routes.ts'
import { articleRecycleRoutes, articleRoutes } from './modules/articles/articles.routes.ts'
import { articleDraftRoutes } from './modules/articles/drafts/drafts.routes.ts'
import { articleLikeRoutes } from './modules/articles/likes/likes.routes.ts'
import { articleVersionRoutes } from './modules/articles/versions/versions.routes.ts'
import type { Sanitizer } from './modules/articles/articles.sanitizer.ts'
import { attachmentRoutes } from './modules/attachments/attachments.routes.ts'
import type { Resumable } from './modules/attachments/uploads/resumable.ts'
import { uploadHandlers } from './modules/attachments/uploads/uploads.routes.ts'
import { invitationRoutes } from './modules/users/invitations/invitations.ts'
import { auditRoutes } from './modules/audit/audit.routes.ts'
import type { BackupDeps } from './modules/backups/backups.ts'
import { backupRoutes } from './modules/backups/backups.routes.ts'
import { categoryRoutes } from './modules/catalog/categories.routes.ts'
import { languageRoutes } from './modules/catalog/languages.routes.ts'
import type { Place } from './modules/checklist/checklist.ts'
import { checklistRoutes } from './modules/checklist/checklist.routes.ts'
import { codeRoutes } from './modules/codes/codes.routes.ts'
import { collectionRoutes } from './modules/collections/collections.routes.ts'
import { commentRoutes } from './modules/comments/comments.routes.ts'
import { rewardRegistration } from './modules/credits/credits.rewards.ts'
import { creditRoutes } from './modules/credits/credits.routes.ts'
import { findVisibleTitles } from './modules/documents/documents.queries.ts'
import type { TableCache } from './modules/documents/reader/table/table-cache.ts'
import { documentRecycleRoutes, documentRoutes } from './modules/documents/documents.routes.ts'
import type { ProgressWatcher } from './modules/documents/documents.watcher.ts'
import { replacementRoutes } from './modules/documents/replacing/replacing.routes.ts'
import { shareRoutes } from './modules/documents/visibility/shares.routes.ts'
import { downloadRoutes } from './modules/downloads/downloads.routes.ts'
import { favoriteRoutes } from './modules/favorites/favorites.routes.ts'
import { annotationRoutes, bookmarkRoutes, readingRoutes } from './modules/reading/reading.routes.ts'
import { followRoutes } from './modules/follows/follows.routes.ts'
import { sitemapHandlers } from './modules/feeds/sitemap.ts'
import { mailRoutes } from './modules/mail/mail.routes.ts'
import { oauthRoutes } from './modules/oauth/oauth.routes.ts'
import { notificationRoutes } from './modules/notifications/notifications.routes.ts'
import type { UnreadCounter } from './modules/notifications/unread-counter.ts'
import { orderRoutes } from './modules/orders/orders.routes.ts'
import { carriesOut } from './modules/outlays/outlays.ts'
import { outlayRoutes } from './modules/outlays/outlays.routes.ts'
import { redeemCredits } from './modules/orders/paying/pay-with-code.ts'
import { buyDocument } from './modules/orders/paying/pay-with-credits.ts'
import { privacyRoutes } from './modules/privacy/privacy.routes.ts'
import { reportRoutes } from './modules/reports/reports.routes.ts'
import { searchRecordRoutes, searchRoutes } from './modules/search/search.routes.ts'
import { announcementRoutes } from './modules/site/announcements.routes.ts'
import { mailTestRoutes, settingsRoutes } from './modules/settings/settings.routes.ts'
import { advertisementRoutes, bannerRoutes, friendlinkRoutes, navigationRoutes } from './modules/site/site.routes.ts'
import type { Extractor } from './modules/spider/extract/extractor.ts'
import {
  spiderAboutRoutes,
  spiderDocumentRoutes,
  spiderSourceRoutes,
  spiderUrlRoutes,
} from './modules/spider/spider.routes.ts'
import { smsRoutes, smsTestRoutes } from './modules/sms/sms.routes.ts'
import { statsRoutes } from './modules/stats/stats.routes.ts'
import type { ViewCounter } from './modules/stats/view-counter.ts'
import { visitRoutes } from './modules/stats/visits.routes.ts'
import { environmentRoutes } from './modules/system/environment.routes.ts'
import { type Machine, machineRoutes } from './modules/system/machine.routes.ts'
import { activityRoutes } from './modules/users/activity.ts'
import { savedViewRoutes } from './modules/users/saved-views.ts'
import { ownMobileRoutes } from './modules/users/mobile/mobile.routes.ts'
import { codeSignInRoutes } from './modules/users/sign-in/code-sign-in.routes.ts'
import {
  factorLoginRoutes,
  passkeyRoutes,
  proofRoutes,
  secondFactorRoutes,
} from './modules/users/security/security.routes.ts'
import { sessionRoutes } from './modules/users/security/sessions.routes.ts'
import { topicRoutes } from './modules/topics/topics.routes.ts'
import { userRoutes } from './modules/users/users.routes.ts'
import { vipRoutes } from './modules/vip/vip.routes.ts'

interface Deps {
  resumable: Resumable
  machine: Machine
  place: Place
  backups: BackupDeps
  viewCounter: ViewCounter
  sanitizer: Sanitizer
  extractor: Extractor
  progressWatcher: ProgressWatcher
  unreadCounter: UnreadCounter
  tables: TableCache
}

/** The handlers of the whole contract: a part without handlers does not compile. */
export function apiHandlers({
  resumable,
  machine,
  place,
  backups,
  viewCounter,
  sanitizer,
  extractor,
  progressWatcher,
  unreadCounter,
  tables,
}: Deps): AllHandlers<typeof contract> {
  const credits = creditRoutes({ findTitles: findVisibleTitles })
  const codes = codeRoutes({ redeem: redeemCredits })
  return {
    settings: settingsRoutes,
    audits: auditRoutes,
    invitations: invitationRoutes,
    stats: statsRoutes(),
    mails: mailRoutes,
    mailTests: mailTestRoutes,
    sms: smsRoutes,
    smsTests: smsTestRoutes,
    visits: visitRoutes,
    environment: environmentRoutes(),
    machine: machineRoutes(machine),
    backups: backupRoutes(backups),
    checklist: checklistRoutes(place),
    sitemaps: sitemapHandlers,
    groups: groupRoutes,
    permissions: permissionRoutes,
    punishments: punishmentRoutes,
    users: userRoutes({ onRegistered: rewardRegistration }),
    codeSignIn: codeSignInRoutes({ onRegistered: rewardRegistration }),
    ownMobile: ownMobileRoutes,
    sessions: sessionRoutes,
    oauth: oauthRoutes({ onRegistered: rewardRegistration }),
    secondFactor: secondFactorRoutes,
    proofs: proofRoutes,
    factorLogins: factorLoginRoutes,
    passkeys: passkeyRoutes,
    savedViews: savedViewRoutes,
    attachments: attachmentRoutes,
    uploads: uploadHandlers(resumable),
    navigations: navigationRoutes,
    friendlinks: friendlinkRoutes,
    banners: bannerRoutes,
    advertisements: advertisementRoutes,
    announcements: announcementRoutes,
    topics: topicRoutes,
    categories: categoryRoutes,
    languages: languageRoutes,
    searches: searchRoutes(),
    searchRecords: searchRecordRoutes,
    documents: documentRoutes({ viewCounter, progressWatcher, tables }),
    documentRecycle: documentRecycleRoutes,
    documentShares: shareRoutes,
    replacements: replacementRoutes,
    vip: vipRoutes,
    downloads: downloadRoutes({ buy: buyDocument }),
    codes,
    orders: orderRoutes,
    outlays: outlayRoutes({
      adjust: carriesOut(contract.credits.adjust, credits.adjust),
      topUp: carriesOut(contract.orders.systemTopUp, orderRoutes.systemTopUp),
      grantCard: carriesOut(contract.vip.grant, vipRoutes.grant),
      createCodes: carriesOut(contract.codes.create, codes.create),
      refund: carriesOut(contract.orders.refund, orderRoutes.refund),
    }),
    articles: articleRoutes({ viewCounter, sanitizer }),
    articleRecycle: articleRecycleRoutes,
    articleDrafts: articleDraftRoutes,
    articleVersions: articleVersionRoutes(sanitizer),
    articleLikes: articleLikeRoutes,
    spiderSources: spiderSourceRoutes({ extractor }),
    spiderUrls: spiderUrlRoutes,
    spiderDocuments: spiderDocumentRoutes,
    spiderAbout: spiderAboutRoutes,
    comments: commentRoutes,
    favorites: favoriteRoutes,
    reading: readingRoutes,
    bookmarks: bookmarkRoutes,
    annotations: annotationRoutes,
    collections: collectionRoutes,
    follows: followRoutes,
    reports: reportRoutes,
    credits,
    notifications: notificationRoutes({ unreadCounter }),
    privacy: privacyRoutes,
    activities: activityRoutes,
  }
}
