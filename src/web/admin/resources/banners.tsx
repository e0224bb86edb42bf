import { Image } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { bannerTypeLabels } from '#shared/enums.ts'
import { Outward, Pair } from '#web/admin/cells.tsx'
import { cell, note, tag, toggle as switching } from '#web/admin/columns.tsx'
import { image, number, select, text, textarea, time, toggle, url } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { SchedulePeriod, ScheduleTag } from '#web/admin/resources/schedule-tag.tsx'

const api = contract.banners

type Banner = Reply<typeof api.list>['banner'][number]

/** As wide as the home page shows them. */
const shape = { width: 1920, height: 420 }

export const banners = resource({
  title: '横幅',
  api,
  hint: '网站的横幅在首页轮播。拖动把手调整同一类横幅的顺序。',
  columns: [
    cell('title', '标题', (row: Banner) => <Named banner={row} />, { width: 220 }),
    { key: 'id', width: 72, extra: true },
    cell('path', '图片', ({ path, title }: Banner) => <Picture path={path} title={title} />, { width: 180 }),
    tag('type', bannerTypeLabels, { width: 90 }),
    cell('end_time', '状态', (row: Banner) => <ScheduleTag row={row} />, { width: 90 }),
    cell('start_time', '投放时间', (row: Banner) => <SchedulePeriod row={row} />, { width: 170 }),
    switching('enable'),
    note('description', { extra: true }),
    { key: 'sort', width: 80, align: 'right', extra: true },
    { key: 'created_at', extra: true },
  ],
  filters: ['wd', 'type', 'enable'],
  sorting: { by: api.sort, within: ['type'], list: 'type asc, sort desc' },
  form: [
    text('title', '标题', { help: '图片看不见时显示' }),
    image('path', '图片', 'banner', { shape }),
    select('type', '用于', bannerTypeLabels, { empty: 0, half: true }),
    toggle('enable', '启用', { empty: true }),
    url('url', '链接', { placeholder: '点击后打开的地址，可以不填' }),
    time('start_time', '开始时间', { placeholder: '不限', half: true, begins: true }),
    time('end_time', '结束时间', { placeholder: '不限', half: true }),
    number('sort', '排序', { help: '大的排在前面', half: true }),
    textarea('description', '说明'),
  ],
  blame: { 'schedule.backward': 'end_time' },
})

function Named({ banner: { title, url: target } }: { banner: Banner }) {
  return <Pair first={title} second={target ? <Outward href={target} /> : undefined} />
}

function Picture({ path, title }: { path: string; title: string }) {
  return (
    <Image
      src={path}
      alt={title}
      width={152}
      className="wa-preview"
      style={{ aspectRatio: `${shape.width} / ${shape.height}`, objectFit: 'cover' }}
    />
  )
}
