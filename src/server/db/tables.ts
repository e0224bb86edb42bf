import type { AccessTables } from './tables/access.ts'
import type { SiteTables } from './tables/site.ts'
import type { SystemTables } from './tables/system.ts'
import type { UserTables } from './tables/users.ts'

export type Tables = SystemTables & AccessTables & UserTables & SiteTables
