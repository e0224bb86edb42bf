import { groups, permissions, punishments } from './access.ts'
import { attachments, uploads } from './attachments.ts'
import { documentRecycle, documents, downloads } from './documents.ts'
import { searches, searchRecords } from './search.ts'
import { advertisements, categories, friendlinks, languages, navigations } from './site.ts'
import { environment, settings, stats } from './system.ts'
import { sessions, users } from './users.ts'

/** Every endpoint of the product. */
export const contract = {
  settings,
  stats,
  environment,
  groups,
  permissions,
  punishments,
  users,
  sessions,
  attachments,
  uploads,
  navigations,
  friendlinks,
  advertisements,
  categories,
  languages,
  searches,
  searchRecords,
  documents,
  documentRecycle,
  downloads,
}
