import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { call } from '#web/admin/actions.ts'
import { figure, plain, toggle as switching } from '#web/admin/columns.tsx'
import { number, text, toggle } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const api = contract.languages

type Language = Reply<typeof api.list>['language'][number]

export const languages = resource({
  title: '语言',
  api,
  columns: [
    { key: 'id', width: 72 },
    plain('language', { label: '名称' }),
    plain('code', { label: '代码' }),
    figure('total', { label: '文档' }),
    { key: 'sort', width: 80, align: 'right' },
    switching('enable'),
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
  blame: { 'languages.codeTaken': 'code' },
  actions: [
    call(api.setStatus, '启用', {
      bulk: true,
      given: { enable: true },
      blocked: ({ enable }: Language) => (enable ? '已经启用' : undefined),
    }),
    call(api.setStatus, '停用', {
      bulk: true,
      given: { enable: false },
      question: '已有的文档不受影响。',
      blocked: ({ enable }: Language) => (enable ? undefined : '没有启用'),
    }),
  ],
  nameOf: (row) => row.language,
})
