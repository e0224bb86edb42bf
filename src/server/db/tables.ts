import type { AccessTables } from './tables/access.ts'
import type { AccountSecurityTables } from './tables/account-security.ts'
import type { ArticleTables } from './tables/articles.ts'
import type { AttachmentTables } from './tables/attachments.ts'
import type { CollectionTables } from './tables/collections.ts'
import type { CreditTables } from './tables/credits.ts'
import type { DocumentTables } from './tables/documents.ts'
import type { OauthTables } from './tables/oauth.ts'
import type { NotificationTables } from './tables/notifications.ts'
import type { OrderTables } from './tables/orders.ts'
import type { ReadingTables } from './tables/reading.ts'
import type { SearchTables } from './tables/search.ts'
import type { SiteTables } from './tables/site.ts'
import type { SocialTables } from './tables/social.ts'
import type { SpiderTables } from './tables/spider.ts'
import type { SystemTables } from './tables/system.ts'
import type { UserTables } from './tables/users.ts'

export type Tables = SystemTables &
  AccessTables &
  AccountSecurityTables &
  UserTables &
  OauthTables &
  AttachmentTables &
  CreditTables &
  SiteTables &
  DocumentTables &
  OrderTables &
  ArticleTables &
  SearchTables &
  SocialTables &
  ReadingTables &
  SpiderTables &
  CollectionTables &
  NotificationTables
