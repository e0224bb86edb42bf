import type { Context, Hono } from 'hono'
import { contract } from '#shared/contract/contract.ts'
import type { Ctx } from './context.ts'
import { mount } from './http/api/mount.ts'
import { groupRoutes } from './modules/access/groups.routes.ts'
import { permissionRoutes } from './modules/access/permissions.routes.ts'
import { punishmentRoutes } from './modules/access/punishments.routes.ts'
import { articleRecycleRoutes, articleRoutes } from './modules/articles/articles.routes.ts'
import { attachmentRoutes } from './modules/attachments/attachments.routes.ts'
import type { Resumable } from './modules/attachments/uploads/resumable.ts'
import { uploadHandlers } from './modules/attachments/uploads/uploads.routes.ts'
import { creditRoutes } from './modules/credits/credits.routes.ts'
import { documentRecycleRoutes, documentRoutes } from './modules/documents/documents.routes.ts'
import { downloadRoutes } from './modules/downloads/downloads.routes.ts'
import { searchRecordRoutes, searchRoutes } from './modules/search/search.routes.ts'
import { categoryRoutes } from './modules/catalog/categories.routes.ts'
import { languageRoutes } from './modules/catalog/languages.routes.ts'
import { advertisementRoutes, bannerRoutes, friendlinkRoutes, navigationRoutes } from './modules/site/site.routes.ts'
import { commentRoutes } from './modules/comments/comments.routes.ts'
import { favoriteRoutes } from './modules/favorites/favorites.routes.ts'
import { reportRoutes } from './modules/reports/reports.routes.ts'
import { sitemapHandlers } from './modules/feeds/sitemap.ts'
import { environmentRoutes } from './modules/system/environment.routes.ts'
import { type Machine, machineRoutes } from './modules/system/machine.routes.ts'
import { mailRoutes } from './modules/mail/mail.routes.ts'
import { statsRoutes } from './modules/stats/stats.routes.ts'
import { settingsRoutes } from './modules/settings/settings.routes.ts'
import { visitRoutes } from './modules/stats/visits.routes.ts'
import { dynamicRoutes } from './modules/users/activity.ts'
import { sessionRoutes, userRoutes } from './modules/users/users.routes.ts'

interface Parts {
  contextOf: (request: Context) => Promise<Ctx>
  resumable: Resumable
  machine: Machine
}

/** Every endpoint of the contract, answered by its module. */
export function mountModules(api: Hono, { contextOf, resumable, machine }: Parts): void {
  mount(api, contract.settings, settingsRoutes, contextOf)
  mount(api, contract.stats, statsRoutes, contextOf)
  mount(api, contract.mails, mailRoutes, contextOf)
  mount(api, contract.visits, visitRoutes, contextOf)
  mount(api, contract.environment, environmentRoutes, contextOf)
  mount(api, contract.machine, machineRoutes(machine), contextOf)
  mount(api, contract.sitemaps, sitemapHandlers, contextOf)
  mount(api, contract.groups, groupRoutes, contextOf)
  mount(api, contract.permissions, permissionRoutes, contextOf)
  mount(api, contract.punishments, punishmentRoutes, contextOf)
  mount(api, contract.users, userRoutes, contextOf)
  mount(api, contract.sessions, sessionRoutes, contextOf)
  mount(api, contract.attachments, attachmentRoutes, contextOf)
  mount(api, contract.uploads, uploadHandlers(resumable), contextOf)
  mount(api, contract.navigations, navigationRoutes, contextOf)
  mount(api, contract.friendlinks, friendlinkRoutes, contextOf)
  mount(api, contract.banners, bannerRoutes, contextOf)
  mount(api, contract.advertisements, advertisementRoutes, contextOf)
  mount(api, contract.categories, categoryRoutes, contextOf)
  mount(api, contract.languages, languageRoutes, contextOf)
  mount(api, contract.searches, searchRoutes, contextOf)
  mount(api, contract.searchRecords, searchRecordRoutes, contextOf)
  mount(api, contract.documents, documentRoutes, contextOf)
  mount(api, contract.documentRecycle, documentRecycleRoutes, contextOf)
  mount(api, contract.downloads, downloadRoutes, contextOf)
  mount(api, contract.articles, articleRoutes, contextOf)
  mount(api, contract.articleRecycle, articleRecycleRoutes, contextOf)
  mount(api, contract.comments, commentRoutes, contextOf)
  mount(api, contract.favorites, favoriteRoutes, contextOf)
  mount(api, contract.reports, reportRoutes, contextOf)
  mount(api, contract.credits, creditRoutes, contextOf)
  mount(api, contract.dynamics, dynamicRoutes, contextOf)
}
