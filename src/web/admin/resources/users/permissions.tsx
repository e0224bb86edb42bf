import { contract } from '#shared/contract/contract.ts'
import { getPermissionArea } from '#shared/permissions.ts'
import { TwoLines } from '#web/admin/cells.tsx'
import { customColumn, longTextColumn, textColumn } from '#web/admin/columns.tsx'
import { select, text, textarea } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'

const methods = { GRPC: 'GRPC', GET: 'GET', POST: 'POST', PUT: 'PUT', DELETE: 'DELETE' }

export const permissions = resource({
  title: '权限',
  api: contract.permissions,
  hint: '权限由系统内置。名称和说明可以修改，显示在用户组的授权页面上。',
  columns: [
    textColumn('title'),
    customColumn('path', '所属和路径', ({ path }: { path: string }) => (
      <TwoLines primary={getPermissionArea(path).title} secondary={<code>{path}</code>} />
    )),
    textColumn('method', { label: '方式', width: 90 }),
    longTextColumn('description'),
    'updated_at',
  ],
  filters: ['wd', text('path', '路径'), select('method', '方式', methods)],
  form: { update: [text('title', '名称'), textarea('description', '说明')] },
})
