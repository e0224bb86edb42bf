import { adPositionGroups, adPositionName } from '#shared/ad-positions.ts'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { TwoLines } from '#web/admin/cells.tsx'
import { customColumn, longTextColumn, toggleColumn } from '#web/admin/columns.tsx'
import { adContent, groupedSelect, text, textarea, time, toggle } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { SchedulePeriod, ScheduleTag, scheduleTexts } from '#web/admin/resources/site/schedule-tag.tsx'

const api = contract.advertisements

type Advertisement = Reply<typeof api.list>['advertisement'][number]

const positionOptions = Object.values(adPositionGroups).map(({ title, positions }) => ({
  label: title,
  options: Object.keys(positions).map((value) => ({ value, label: adPositionName(value) })),
}))

export const advertisements = resource({
  title: '广告',
  api,
  hint: '广告在单独的框架里显示，其中的脚本默认不运行，可以为单个广告打开。VIP 用户看不到广告。',
  columns: [
    customColumn(
      'title',
      '标题',
      ({ id, title, position }: Advertisement) => (
        <TwoLines primary={title || `广告 ${id}`} secondary={adPositionName(position)} />
      ),
      { width: 240 },
    ),
    { key: 'id', width: 72, hiddenByDefault: true },
    customColumn('end_time', '状态', (row: Advertisement) => <ScheduleTag row={row} />, {
      width: 90,
      text: scheduleTexts.state,
    }),
    customColumn('start_time', '投放时间', (row: Advertisement) => <SchedulePeriod row={row} />, {
      width: 170,
      text: scheduleTexts.period,
      sort: true,
    }),
    toggleColumn('enable'),
    longTextColumn('remark'),
    'updated_at',
  ],
  filters: ['wd', 'position', 'enable'],
  form: [
    groupedSelect('position', '位置', positionOptions),
    text('title', '标题', { help: '只在后台显示' }),
    adContent('content', '内容', { help: 'HTML 代码；写明 height 就按它的高度显示，最高 600 像素' }),
    toggle('allow_scripts', '允许运行脚本', {
      half: false,
      help: '广告联盟的代码需要打开它。脚本在隔离的框架里运行，读不到本站的页面和登录状态，也改不了它们；高度随内容调整，最高 600 像素。上面的预览不运行脚本。',
    }),
    time('start_time', '开始时间', { placeholder: '不限', half: true, isStart: true }),
    time('end_time', '结束时间', { placeholder: '不限', half: true }),
    toggle('enable', '启用', { empty: true }),
    textarea('remark', '备注', { help: '只有管理人员能看到' }),
  ],
  errorFields: { 'schedule.backward': 'end_time' },
  rowName: ({ id, title }) => title || `#${id}`,
})
