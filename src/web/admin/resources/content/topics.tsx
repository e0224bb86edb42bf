import { contract } from '#shared/contract/contract.ts'
import type { TopicEntry } from '#shared/contract/topics.ts'
import type { Reply } from '#shared/endpoint.ts'
import { customColumn, longTextColumn, timeColumn, toggleColumn } from '#web/admin/columns.tsx'
import { TopicEntriesInput } from '#web/admin/controls/topic-entries-input.tsx'
import { image, text, textarea, toggle } from '#web/admin/fields.tsx'
import { type Field, resource } from '#web/admin/resource.ts'
import { topicPath } from '#web/domain/paths.ts'

const { list, get, create, update, patch, delete: remove, sort } = contract.topics

type Topic = Reply<typeof list>['topic'][number]

const entries: Field<'entries', TopicEntry[]> = {
  key: 'entries',
  label: '收录的文档和文章',
  empty: [],
  control: <TopicEntriesInput />,
  help: '读者只看到对他们开放的。',
}

export const topics = resource({
  title: '专题',
  api: { list, get, create, update, patch, delete: remove },
  hint: '发布的专题显示在首页和专题页。拖动把手调整顺序。',
  columns: [
    customColumn('title', '标题', (row: Topic) => <TopicLink topic={row} />, { width: 240 }),
    { key: 'id', width: 72, hiddenByDefault: true },
    customColumn('entries', '收录', (row: Topic) => `${row.entries.length} 项`, { width: 90 }),
    longTextColumn('summary'),
    toggleColumn('enable'),
    { key: 'sort', width: 80, align: 'right', hiddenByDefault: true },
    timeColumn('updated_at', { sort: true }),
  ],
  filters: ['wd', 'enable'],
  ordering: { endpoint: sort, order: 'sort desc' },
  formWidth: 720,
  form: [
    text('title', '标题', { help: '最多 60 个字' }),
    textarea('summary', '简介', { help: '这个专题说什么、给谁读，最多 500 个字' }),
    image('cover', '封面', 'banner', {
      shape: { width: 960, height: 540 },
      help: '不选图片时，用最前面几份文档的封面',
    }),
    entries,
    toggle('enable', '发布'),
  ],
  errorFields: { 'topics.entryGone': 'entries' },
})

function TopicLink({ topic }: { topic: Topic }) {
  return (
    <a href={topicPath(topic)} target="_blank" rel="noreferrer">
      {topic.title}
    </a>
  )
}
