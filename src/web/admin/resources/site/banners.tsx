import { Image } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { BannerType, bannerTypeLabels } from '#shared/enums.ts'
import { ExternalLink, TwoLines } from '#web/admin/cells.tsx'
import { customColumn, longTextColumn, tagColumn, toggleColumn } from '#web/admin/columns.tsx'
import { image, number, select, text, textarea, time, toggle, url } from '#web/admin/fields.tsx'
import { toPreviewStyle } from '#web/admin/controls/image-input.tsx'
import { resource } from '#web/admin/resource.ts'
import { SchedulePeriod, ScheduleTag, scheduleTexts } from '#web/admin/resources/site/schedule-tag.tsx'

const api = contract.banners

type Banner = Reply<typeof api.list>['banner'][number]

/** As the home page shows them. */
const shape = { width: 1920, height: 420 }

export const banners = resource({
  title: '横幅',
  api,
  hint: '网站的横幅在首页轮播。拖动把手调整同一类横幅的顺序。',
  columns: [
    customColumn('title', '标题', (row: Banner) => <BannerName banner={row} />, { width: 220 }),
    { key: 'id', width: 72, hiddenByDefault: true },
    customColumn('path', '图片', ({ path, title }: Banner) => <Picture path={path} title={title} />, { width: 180 }),
    tagColumn('type', bannerTypeLabels, { width: 90 }),
    customColumn('end_time', '状态', (row: Banner) => <ScheduleTag row={row} />, {
      width: 90,
      text: scheduleTexts.state,
    }),
    customColumn('start_time', '投放时间', (row: Banner) => <SchedulePeriod row={row} />, {
      width: 170,
      text: scheduleTexts.period,
    }),
    toggleColumn('enable'),
    longTextColumn('description', { hiddenByDefault: true }),
    { key: 'sort', width: 80, align: 'right', hiddenByDefault: true },
    { key: 'created_at', hiddenByDefault: true },
  ],
  filters: ['wd', 'type', 'enable'],
  ordering: { endpoint: api.sort, within: ['type'], order: 'type asc, sort desc' },
  form: [
    text('title', '标题', { help: '图片看不见时显示' }),
    image('path', '图片', 'banner', { shape }),
    select('type', '用于', bannerTypeLabels, { empty: BannerType.Website, half: true }),
    toggle('enable', '启用', { empty: true }),
    url('url', '链接', { placeholder: '点击后打开的地址，可以不填' }),
    time('start_time', '开始时间', { placeholder: '不限', half: true, isStart: true }),
    time('end_time', '结束时间', { placeholder: '不限', half: true }),
    number('sort', '排序', { help: '大的排在前面', half: true }),
    textarea('description', '说明'),
  ],
  errorFields: { 'schedule.backward': 'end_time' },
})

function BannerName({ banner: { title, url: target } }: { banner: Banner }) {
  return <TwoLines primary={title} secondary={target ? <ExternalLink href={target} /> : undefined} />
}

function Picture({ path, title }: { path: string; title: string }) {
  return <Image src={path} alt={title} width={152} style={toPreviewStyle(shape)} />
}
