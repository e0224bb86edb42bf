import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { call } from '#web/admin/actions.ts'
import { numberColumn, textColumn, toggleColumn } from '#web/admin/columns.tsx'
import { number, text, toggle } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const api = contract.languages

type Language = Reply<typeof api.list>['language'][number]

export const languages = resource({
  title: '语言',
  api: { ...api, patch: api.setStatus },
  columns: [
    { key: 'id', width: 72 },
    textColumn('language', { label: '名称' }),
    textColumn('code', { label: '代码' }),
    numberColumn('total', { label: '文档' }),
    { key: 'sort', width: 80, align: 'right' },
    toggleColumn('enable'),
    'created_at',
  ],
  filters: ['wd', toggle('enable', '启用')],
  form: {
    create: [
      text('language', '名称', { half: true }),
      text('code', '代码', { half: true, help: '如 zh-CN、en，保存后不能修改' }),
      number('sort', '排序', { help: '大的排在前面', half: true }),
      toggle('enable', '启用', { empty: true }),
    ],
    update: [
      text('language', '名称'),
      number('sort', '排序', { help: '大的排在前面', half: true }),
      toggle('enable', '启用'),
    ],
  },
  errorFields: { 'languages.codeTaken': 'code' },
  actions: [
    call(api.setStatus, '启用', {
      bulk: true,
      input: { enable: true },
      disabledReason: ({ enable }: Language) => (enable ? '已经启用' : undefined),
    }),
    call(api.setStatus, '停用', {
      bulk: true,
      input: { enable: false },
      confirm: '已有的文档不受影响。',
      disabledReason: ({ enable }: Language) => (enable ? undefined : '没有启用'),
    }),
  ],
  rowName: (row) => row.language,
})
