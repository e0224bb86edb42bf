import { Flex, Tag } from 'antd'
import type { Group } from '#shared/contract/group.ts'
import { contract } from '#shared/contract/contract.ts'
import { administratorsId } from '#shared/permissions.ts'
import { call, panel } from '#web/admin/actions.ts'
import { dash } from '#web/admin/cells.tsx'
import cells from '#web/admin/cells.module.css'
import { customColumn, numberColumn, longTextColumn, timeColumn, toggleColumn } from '#web/admin/columns.tsx'
import { color, number, text, textarea, toggle } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { GroupPermissions } from '#web/admin/resources/users/group-permissions.tsx'

const capabilities = [
  ['enable_upload', '上传文档'],
  ['enable_document_review', '文档需审核'],
  ['enable_comment', '发表评论'],
  ['enable_comment_approval', '评论需审核'],
  ['enable_article', '发布文章'],
  ['enable_article_approval', '文章需审核'],
] as const

export const groups = resource({
  title: '用户组',
  api: contract.groups,
  errorFields: { 'groups.titleTaken': 'title', 'groups.defaultNeeded': 'is_default' },
  columns: [
    customColumn('title', '名称', (group: Group) => <GroupName group={group} />),
    numberColumn('user_count', { label: '用户数' }),
    toggleColumn('is_display', { label: '显示' }),
    customColumn('enable_upload', '允许', (group: Group) => <Capabilities group={group} />, { width: 260 }),
    longTextColumn('description'),
    numberColumn('sort'),
    timeColumn('created_at', { hiddenByDefault: true }),
  ],
  filters: ['wd'],
  form: [
    text('title', '名称'),
    textarea('description', '说明'),
    color('color', '颜色', { half: true }),
    number('sort', '排序', { half: true, help: '数值越大越靠前' }),
    toggle('is_default', '默认用户组', { help: '新注册的用户加入此组' }),
    toggle('is_display', '显示在用户资料中'),
    toggle('enable_upload', '可以上传文档'),
    toggle('enable_document_review', '上传的文档需要审核'),
    toggle('enable_comment', '可以发表评论'),
    toggle('enable_comment_approval', '评论需要审核'),
    toggle('enable_article', '可以发布文章'),
    toggle('enable_article_approval', '文章需要审核'),
  ],
  actions: [
    panel(contract.groups.permissions, '权限', GroupPermissions),
    call(contract.groups.copy, '复制', {
      fields: [text('title', '新用户组的名称', { help: '权限和各项允许与原来的用户组相同，用户不会复制过去' })],
    }),
  ],
  toolbar: [
    call(contract.groups.addReadyMade, '添加现成的用户组', {
      confirm: '将添加还没有的现成用户组，例如“财务”，各有相应的权限，添加后可以修改。已有的用户组不变。',
      successMessage: '现成的用户组已经齐全',
    }),
  ],
  undeletable: ({ id, is_default, user_count }) => {
    if (id === administratorsId) return '超级管理员用户组不能删除'
    if (is_default) return '默认用户组不能删除'
    return user_count > 0 ? `组内还有 ${user_count} 个用户` : undefined
  },
})

function GroupName({ group }: { group: Group }) {
  return (
    <Flex gap={6} align="center">
      <span className={cells.dot} style={{ background: group.color || undefined }} />
      <strong>{group.title}</strong>
      {group.is_default && <Tag color="blue">默认</Tag>}
    </Flex>
  )
}

function Capabilities({ group }: { group: Group }) {
  const enabled = capabilities.filter(([key]) => group[key])
  if (enabled.length === 0) return dash
  return (
    <Flex wrap gap={4}>
      {enabled.map(([key, label]) => (
        <Tag key={key} variant="filled" color={label.endsWith('审核') ? 'gold' : 'green'}>
          {label}
        </Tag>
      ))}
    </Flex>
  )
}
