import { groups, permissions, punishments } from './access.ts'
import { advertisements, categories, friendlinks, navigations } from './site.ts'
import { settings, stats } from './system.ts'
import { sessions, users } from './users.ts'

/** Every endpoint of the product. */
export const contract = {
  settings,
  stats,
  groups,
  permissions,
  punishments,
  users,
  sessions,
  navigations,
  friendlinks,
  advertisements,
  categories,
}
