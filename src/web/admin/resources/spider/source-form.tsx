import { Form, Radio, Select } from 'antd'
import type { contract } from '#shared/contract/contract.ts'
import { documentExts } from '#shared/document-kinds.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { ContentType } from '#shared/enums.ts'
import { SpiderEntry, spiderEntryLabels, SpiderPublish, spiderPublishLabels } from '#shared/spider.ts'
import { SpiderSchedule, spiderScheduleLabels } from '#shared/spider.ts'
import { choice, inSection, language, lines, number, select, tags, text, toggle, user } from '#web/admin/fields.tsx'
import type { Field, FieldOf } from '#web/admin/resource.ts'
import { CategoryRules, TargetCategory } from '#web/admin/resources/spider/target-category.tsx'

type SourceField = FieldOf<CallInput<typeof contract.spiderSources.create>>

const patternHelp =
  '一行一条，如 /docs/** 或 *.example.com/files/*：* 代表一段，** 代表任意多段；写在两个斜杠之间是正则表达式，如 /\\d+\\.html$/。'
const isOf =
  (target: ContentType): Field['isShown'] =>
  (values) =>
    values['target'] === target
const ofDocuments = isOf(ContentType.Document)
const ofArticles = isOf(ContentType.Article)

const where = inSection<SourceField>(
  {
    title: '从哪里开始',
    hint: '请只采集您有权使用的内容：来源网站的条款和内容的版权由您负责遵守。采集会遵守对方的 robots.txt，并保留来源。',
  },
  [
    text('name', '名称', { placeholder: '如：市教育局公开资料', help: '只在后台显示' }),
    { key: 'target', label: '采集什么', empty: ContentType.Document, control: <TargetChoice /> },
    choice('entry', '起始网址是', spiderEntryLabels, { empty: SpiderEntry.Page }),
    lines('start', '起始网址', {
      placeholder: 'https://example.com/docs/',
      help: '一行一个。从列出文档的页面开始最快；有站点地图（sitemap.xml）或 RSS 时用它最稳。',
    }),
  ],
)

const what = inSection<SourceField>({ title: '读哪些页面，取哪些内容' }, [
  lines('item', '文档的网址', {
    placeholder: '/files/**',
    help: `留空时按格式认出文件。${patternHelp}`,
    isShown: ofDocuments,
  }),
  lines('item', '文章的网址', { placeholder: '/news/*.html', help: patternHelp, required: true, isShown: ofArticles }),
  lines('follow', '继续读的页面', {
    placeholder: '/docs/**',
    help: '从这些页面里继续找链接；留空表示起始网址的整个网站。写法同上。',
  }),
  lines('exclude', '不要的网址', { placeholder: '/login/**', help: '既不读，也不取。写法同上。' }),
])

const bounds = inSection<SourceField>(
  { title: '范围和上限', isFolded: true, hint: '防止在无尽的日历、搜索结果里打转。' },
  [
    number('depth', '最多几层', { empty: 2, min: 0, max: 20, half: true, help: '起始网址是第 0 层' }),
    number('max_pages', '最多读多少页', { empty: 1000, min: 1, max: 100_000, half: true, help: '一次运行之内' }),
    number('max_documents', '最多多少份', {
      empty: 10_000,
      min: 1,
      max: 1_000_000,
      half: true,
      help: '这个采集源的文档或文章，所有运行合计',
    }),
    number('max_hours', '最长运行几小时', {
      empty: 72,
      min: 0,
      max: 8760,
      half: true,
      help: '到时结束这一轮；0 表示不限',
    }),
    number('max_queries', '同一路径最多几种参数', {
      empty: 200,
      min: 0,
      max: 100_000,
      half: true,
      help: '网址只有问号之后不同的页面',
    }),
    tags('drop_params', '忽略的参数', { half: true, help: '如 sessionid；常见的跟踪参数总是忽略' }),
  ],
)

const selectors = inSection<SourceField>(
  {
    title: '从页面里读取什么',
    isFolded: true,
    hint: 'CSS 选择器，留空时自动判断。写好后用“试采”看看读到了什么。',
  },
  [
    text('selector_title', '标题', { placeholder: 'h1.title', half: true }),
    text('selector_date', '日期', { placeholder: 'time, .date', half: true }),
    text('selector_description', '简介', { placeholder: '.summary', half: true }),
    text('selector_keywords', '关键字', { placeholder: '.tags a', half: true }),
    text('selector_next', '下一页', { placeholder: 'a.next', half: true, help: '不计层数，一直翻到最后' }),
    text('selector_content', '正文', {
      placeholder: '.article-body',
      half: true,
      help: '没有取到正文，或带了多余的内容时填写',
      isShown: ofArticles,
    }),
  ],
)

const outcome = inSection<SourceField>({ title: '采集到的怎么处理' }, [
  choice('publish', '采集之后', spiderPublishLabels, {
    empty: SpiderPublish.Manual,
    help: '人工发布：先在“采集文档”里看过、改好，再发布。',
  }),
  toggle('auto_download', '找到就下载', {
    empty: true,
    half: false,
    help: '关闭时，先在“采集文档”里挑选，再下载。',
    isShown: ofDocuments,
  }),
  { key: 'category_id', label: '分类', empty: [], control: <TargetCategory /> },
  {
    key: 'category_rule',
    label: '按路径分类',
    empty: [],
    control: <CategoryRules />,
    help: '网址符合的第一条决定分类；都不符合时用上面的分类。',
  },
  {
    key: 'ext',
    label: '格式',
    empty: [],
    control: (
      <Select
        mode="multiple"
        allowClear
        placeholder="本站可以上传的全部格式"
        options={documentExts.map((ext) => ({ value: ext, label: ext }))}
      />
    ),
    isShown: ofDocuments,
    half: true,
  },
  number('max_size', '文件最大', {
    unit: 'MB',
    min: 0,
    max: 10_240,
    half: true,
    help: '0 表示与上传相同',
    isShown: ofDocuments,
  }),
  number('price', '价格', { min: 0, half: true, help: '0 表示免费', isShown: ofDocuments }),
  language('language', '语言', { half: true, isShown: ofDocuments }),
  user('user_id', '上传者', { placeholder: '您自己', half: true, help: '留空时是您自己' }),
  text('source_name', '来源名称', { half: true, placeholder: '如：市教育局', help: '与原网址一起显示在文档页' }),
])

const hours: Record<number, string> = Object.fromEntries(
  Array.from({ length: 24 }, (_, hour) => [hour, `${String(hour).padStart(2, '0')}:00`]),
)

const when = inSection<SourceField>({ title: '什么时候运行' }, [
  choice('schedule', '运行', spiderScheduleLabels, {
    empty: SpiderSchedule.Once,
    help: '选择每小时、每天或每周时，保存后一分钟内就第一次运行；以后只取有变化的页面和文件。',
  }),
  toggle('enable', '启用', { empty: true, help: '关闭后暂停正在进行的运行，也不再定时运行；重新打开时继续' }),
])

const pace = inSection<SourceField>({ title: '访问间隔和时段', isFolded: true }, [
  select('quiet_from', '不采集的时段：从', hours, { empty: 0, half: true }),
  select('quiet_to', '到', hours, { empty: 0, half: true, help: '两者相同表示不限；如 08:00 到 22:00 只在夜里采集' }),
  number('delay', '两次请求的间隔', {
    unit: '秒',
    min: 0,
    max: 3600,
    half: true,
    help: '0 表示按采集设置；对方的 Crawl-delay 更长时以对方为准',
  }),
])

export const sourceFields: readonly SourceField[] = [
  ...where,
  ...what,
  ...bounds,
  ...selectors,
  ...outcome,
  ...when,
  ...pace,
]

interface TargetChoiceProps {
  id?: string
  value?: ContentType
  onChange?: (value: ContentType) => void
}

/** Documents and articles have categories of their own. */
function TargetChoice({ onChange, ...rest }: TargetChoiceProps) {
  const form = Form.useFormInstance()
  return (
    <Radio.Group
      {...rest}
      options={[
        { value: ContentType.Document, label: '文档：下载文件，如 PDF、Word' },
        { value: ContentType.Article, label: '文章：取网页的正文和图片' },
      ]}
      onChange={({ target }) => {
        form.setFieldsValue({ category_id: [], category_rule: [] })
        onChange?.(target.value as ContentType)
      }}
    />
  )
}
