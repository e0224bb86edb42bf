import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { AnnouncementAudience, announcementAudienceLabels } from '#shared/enums.ts'
import { customColumn, timeColumn, toggleColumn } from '#web/admin/columns.tsx'
import { select, text, textarea, time, toggle } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { SchedulePeriod, ScheduleTag } from '#web/admin/resources/site/schedule-tag.tsx'
import { groupSelect, GroupTags } from '#web/admin/resources/users/group-select.tsx'
import { announcementPath } from '#web/domain/paths.ts'

const { list, get, create, update, patch, delete: remove } = contract.announcements

type Announcement = Reply<typeof list>['announcement'][number]

export const announcements = resource({
  title: '公告',
  api: { list, get, create, update, patch, delete: remove },
  hint: '展示中的公告显示在网站每一页的顶部，读者可以关闭；结束之后留在公告页里。',
  columns: [
    customColumn('title', '标题', (row: Announcement) => <AnnouncementLink announcement={row} />, { width: 280 }),
    { key: 'id', width: 72, hiddenByDefault: true },
    customColumn('audience', '谁能看到', (row: Announcement) => <Audience announcement={row} />, { width: 180 }),
    customColumn('end_time', '状态', (row: Announcement) => <ScheduleTag row={row} />, { width: 90 }),
    customColumn('start_time', '展示时间', (row: Announcement) => <SchedulePeriod row={row} />, { width: 170 }),
    toggleColumn('enable'),
    timeColumn('created_at', { sort: true }),
  ],
  filters: ['wd', 'audience', 'enable'],
  form: [
    text('title', '标题', { help: '显示在页面顶部，最多 100 个字' }),
    textarea('content', '正文', {
      help: '写普通的文字即可：空一行是新的一段，网址会变成链接。也可以用简单的 HTML（段落、标题、列表、链接、图片），其他标签会被去掉。',
    }),
    select('audience', '谁能看到', announcementAudienceLabels, { empty: AnnouncementAudience.Everyone }),
    groupSelect('group_id', '用户组（只用于“指定的用户组”）'),
    time('start_time', '开始时间', { placeholder: '立即', half: true, isStart: true }),
    time('end_time', '结束时间', { placeholder: '不限', half: true }),
    toggle('enable', '启用', { empty: true }),
  ],
  errorFields: {
    'schedule.backward': 'end_time',
    'announcements.groupsNeeded': 'group_id',
    'announcements.groupUnknown': 'group_id',
  },
})

function AnnouncementLink({ announcement }: { announcement: Announcement }) {
  return (
    <a href={announcementPath(announcement)} target="_blank" rel="noreferrer">
      {announcement.title}
    </a>
  )
}

function Audience({ announcement: { audience, group_id } }: { announcement: Announcement }) {
  if (audience === AnnouncementAudience.Groups) return <GroupTags ids={group_id} />
  return announcementAudienceLabels[audience]
}
