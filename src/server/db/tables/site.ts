import type { AnnouncementAudience, BannerType, ContentType } from '#shared/enums.ts'
import type { Bit, Defaulted, Id, Stamps } from './column.ts'

export interface SiteTables {
  category: CategoryTable
  navigation: NavigationTable
  friendlink: FriendlinkTable
  banner: BannerTable
  advertisement: AdvertisementTable
  language: LanguageTable
  announcement: AnnouncementTable
  /** The groups that an announcement is for. */
  announcement_group: { announcement_id: number; group_id: number }
  topic: TopicTable
  topic_entry: TopicEntryTable
}

interface CategoryTable extends Stamps {
  id: Id
  parent_id: number
  title: string
  icon: Defaulted<string>
  cover: Defaulted<string>
  description: Defaulted<string>
  show_description: Defaulted<Bit>
  doc_count: Defaulted<number>
  type: ContentType
  sort: Defaulted<number>
  enable: Bit
}

interface NavigationTable extends Stamps {
  id: Id
  title: string
  href: string
  target: string
  color: Defaulted<string>
  sort: number
  enable: Bit
  parent_id: number
  description: Defaulted<string>
  fixed: Bit
}

interface FriendlinkTable extends Stamps {
  id: Id
  title: string
  link: string
  description: Defaulted<string>
  sort: number
  enable: Bit
}

interface BannerTable extends Stamps {
  id: Id
  title: string
  path: string
  url: Defaulted<string>
  description: Defaulted<string>
  type: BannerType
  sort: number
  enable: Bit
  start_time: number | null
  end_time: number | null
}

interface AdvertisementTable extends Stamps {
  id: Id
  user_id: number
  position: string
  title: Defaulted<string>
  content: string
  allow_scripts: Defaulted<Bit>
  remark: Defaulted<string>
  enable: Bit
  start_time: number | null
  end_time: number | null
}

interface LanguageTable extends Stamps {
  id: Id
  language: string
  code: string
  enable: Bit
  total: Defaulted<number>
  sort: number
}

interface AnnouncementTable extends Stamps {
  id: Id
  title: string
  /** As it was entered: plain text or HTML, sanitized whenever it is shown. */
  content: Defaulted<string>
  audience: AnnouncementAudience
  enable: Bit
  start_time: number | null
  end_time: number | null
  /** Who wrote it. */
  user_id: number
}

interface TopicTable extends Stamps {
  id: Id
  title: string
  summary: Defaulted<string>
  cover: Defaulted<string>
  sort: Defaulted<number>
  enable: Bit
}

interface TopicEntryTable {
  topic_id: number
  type: ContentType
  /** The id of a document or an article. */
  target_id: number
  position: number
  /** What the editor says about it. */
  note: Defaulted<string>
}
