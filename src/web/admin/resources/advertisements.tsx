import { adPositionGroups, adPositionName } from '#shared/ad-positions.ts'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { Pair } from '#web/admin/cells.tsx'
import { cell, note, toggle as switching } from '#web/admin/columns.tsx'
import { adContent, groupedSelect, text, textarea, time, toggle } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { SchedulePeriod, ScheduleTag } from '#web/admin/resources/schedule-tag.tsx'

const api = contract.advertisements

type Advertisement = Reply<typeof api.list>['advertisement'][number]

const positions = Object.values(adPositionGroups).map(({ title, positions: places }) => ({
  label: title,
  options: Object.keys(places).map((value) => ({ value, label: adPositionName(value) })),
}))

export const advertisements = resource({
  title: '广告',
  api,
  hint: '广告在单独的框架里显示，其中的脚本不会运行。VIP 用户看不到广告。',
  columns: [
    cell(
      'title',
      '标题',
      ({ id, title, position }: Advertisement) => (
        <Pair first={title || `广告 ${id}`} second={adPositionName(position)} />
      ),
      { width: 240 },
    ),
    { key: 'id', width: 72, extra: true },
    cell('end_time', '状态', (row: Advertisement) => <ScheduleTag row={row} />, { width: 90 }),
    cell('start_time', '投放时间', (row: Advertisement) => <SchedulePeriod row={row} />, { width: 170, sort: true }),
    switching('enable'),
    note('remark'),
    'updated_at',
  ],
  filters: ['wd', 'position', 'enable'],
  form: [
    groupedSelect('position', '位置', positions),
    text('title', '标题', { help: '只在后台显示' }),
    adContent('content', '内容', { help: 'HTML 代码；写明 height 就按它的高度显示，最高 600 像素' }),
    time('start_time', '开始时间', { placeholder: '不限', half: true, begins: true }),
    time('end_time', '结束时间', { placeholder: '不限', half: true }),
    toggle('enable', '启用', { empty: true }),
    textarea('remark', '备注', { help: '只有管理人员能看到' }),
  ],
  blame: { 'schedule.backward': 'end_time' },
  nameOf: ({ id, title }) => title || `#${id}`,
})
