import { groups, permissions, punishments } from './access.ts'
import { articleRecycle, articles } from './articles.ts'
import { attachments, uploads } from './attachments.ts'
import { credits, dynamics } from './credits.ts'
import { documentRecycle, documents, downloads } from './documents.ts'
import { searches, searchRecords } from './search.ts'
import { advertisements, banners, categories, friendlinks, languages, navigations } from './site.ts'
import { comments, favorites, reports } from './social.ts'
import { environment, machine, mails, settings, sitemaps, stats, visits } from './system.ts'
import { sessions, users } from './users.ts'

/** Every endpoint of the product. */
export const contract = {
  settings,
  stats,
  mails,
  visits,
  environment,
  machine,
  sitemaps,
  groups,
  permissions,
  punishments,
  users,
  sessions,
  attachments,
  uploads,
  navigations,
  friendlinks,
  banners,
  advertisements,
  categories,
  languages,
  searches,
  searchRecords,
  documents,
  documentRecycle,
  downloads,
  articles,
  articleRecycle,
  comments,
  favorites,
  reports,
  credits,
  dynamics,
}
