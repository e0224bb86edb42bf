import { Image } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Category } from '#shared/contract/site.ts'
import { dash } from '#web/admin/cells.tsx'
import { cell, figure, note, toggle as switching } from '#web/admin/columns.tsx'
import { categoryParent, image, number, text, textarea, toggle } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

export const documentCategories = categories(0, '文档')
export const articleCategories = categories(1, '文章')

function categories(type: 0 | 1, content: string) {
  const shared = [
    toggle('enable', '启用', { empty: true }),
    number('sort', '排序', { help: '大的排在前面，也可以在列表里拖动', half: true }),
    image('icon', '图标', 'category'),
    image('cover', '封面', 'category', { help: '一级分类的封面显示在首页' }),
    textarea('description', '说明'),
    toggle('show_description', '在分类页显示说明'),
  ] as const
  return resource({
    title: '分类',
    api: contract.categories,
    hint: '拖动把手调整同级分类的顺序。',
    tree: true,
    asks: { type: [type] },
    given: { type },
    columns: [
      { key: 'title', label: '名称', width: 260 },
      { key: 'id', width: 80 },
      cell('icon', '图标', ({ icon }: Category) => (icon ? <Image src={icon} height={24} alt="" /> : dash)),
      figure('doc_count', { label: content }),
      { key: 'sort', width: 80, align: 'right', extra: true },
      switching('enable'),
      note('description', { label: '说明' }),
      'created_at',
    ],
    filters: ['wd', toggle('enable', '启用')],
    sorting: { by: contract.categories.sort, within: ['parent_id'] },
    form: {
      create: [
        categoryParent('parent_id', '上级分类', type),
        textarea('title', '名称', { help: '可以写多行，每行一个分类' }),
        ...shared,
      ],
      update: [categoryParent('parent_id', '上级分类', type), text('title', '名称'), ...shared],
    },
    blame: {
      'categories.titleTaken': 'title',
      'categories.parentUnknown': 'parent_id',
      'categories.parentInside': 'parent_id',
      'categories.tooDeep': 'parent_id',
    },
    kept: ({ doc_count }) => (doc_count > 0 ? `分类下还有 ${doc_count} 篇${content}` : undefined),
    deletion: '没有内容的下级分类会一并删除，不能恢复。',
  })
}
