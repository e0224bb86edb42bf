import { contract } from '#shared/contract/contract.ts'
import { getPermissionArea, permissionAreas } from '#shared/permissions.ts'
import { customColumn, longTextColumn } from '#web/admin/columns.tsx'
import { groupedSelect, text, textarea } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { getPermissionTitle } from '#web/admin/resources/users/permission-title.ts'

interface Row {
  title: string
  path: string
}

const areaOptions = permissionAreas.map(({ key, title }) => ({ value: key, label: title }))

export const permissions = resource({
  title: '权限',
  api: contract.permissions,
  hint: '权限由系统内置，按所属的功能排列。名称和说明可以修改，显示在用户组的授权页面上。',
  columns: [
    customColumn('path', '所属', ({ path }: Row) => getPermissionArea(path).title, { width: 140 }),
    customColumn('title', '名称', (row: Row) => getPermissionTitle(row), { width: 240 }),
    longTextColumn('description', { width: 320 }),
    'updated_at',
  ],
  filters: ['wd', groupedSelect('area', '所属', [{ label: '所属', options: areaOptions }])],
  form: { update: [text('title', '名称'), textarea('description', '说明')] },
  rowName: getPermissionTitle,
})
