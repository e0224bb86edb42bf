import { Image } from 'antd'
import type { Category } from '#shared/contract/catalog.ts'
import { contract } from '#shared/contract/contract.ts'
import { ContentType, contentTypeLabels } from '#shared/enums.ts'
import { dash } from '#web/admin/cells.tsx'
import { customColumn, numberColumn, longTextColumn, toggleColumn } from '#web/admin/columns.tsx'
import { categoryParent, image, number, text, textarea, toggle } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

export const documentCategories = categories(ContentType.Document)
export const articleCategories = categories(ContentType.Article)

function categories(type: ContentType) {
  const content = contentTypeLabels[type]
  const sharedFields = [
    toggle('enable', '启用', { empty: true }),
    number('sort', '排序', { help: '大的排在前面，也可以在列表里拖动', half: true }),
    image('icon', '图标', 'category'),
    image('cover', '封面', 'category', { help: '没有图标的一级分类，首页显示它的封面' }),
    textarea('description', '说明'),
    toggle('show_description', '在分类页显示说明'),
  ] as const
  return resource({
    title: '分类',
    api: contract.categories,
    hint: '拖动把手调整同级分类的顺序。',
    tree: true,
    listParams: { type: [type] },
    defaults: { type },
    columns: [
      { key: 'title', label: '名称', width: 200 },
      { key: 'id', width: 80 },
      numberColumn('doc_count', { label: content }),
      { key: 'sort', width: 80, align: 'right', hiddenByDefault: true },
      toggleColumn('enable'),
      customColumn('icon', '图标', ({ icon }: Category) => (icon ? <Image src={icon} height={24} alt="" /> : dash), {
        width: 64,
      }),
      longTextColumn('description', { label: '说明' }),
      'created_at',
    ],
    filters: ['wd', toggle('enable', '启用')],
    ordering: { endpoint: contract.categories.sort, within: ['parent_id'] },
    form: {
      create: [
        categoryParent('parent_id', '上级分类', type),
        textarea('title', '名称', { help: '可以写多行，每行一个分类' }),
        ...sharedFields,
      ],
      update: [categoryParent('parent_id', '上级分类', type), text('title', '名称'), ...sharedFields],
    },
    errorFields: {
      'categories.titleTaken': 'title',
      'categories.parentUnknown': 'parent_id',
      'categories.parentInside': 'parent_id',
      'categories.tooDeep': 'parent_id',
    },
    undeletable: ({ doc_count }) => (doc_count > 0 ? `分类下还有 ${doc_count} 篇${content}` : undefined),
    deleteWarning: '没有内容的下级分类会一并删除，不能恢复。',
  })
}
