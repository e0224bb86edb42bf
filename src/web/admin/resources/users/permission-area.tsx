import { Card, Checkbox, Flex, Tag, Tooltip, Typography } from 'antd'
import { use } from 'react'
import { getAdminPages, rootId } from '#shared/permissions.ts'
import styles from '#web/admin/resources/users/users.module.css'
import { PageLabels } from '#web/admin/page-labels.ts'
import { useSession } from '#web/lib/session.ts'

interface Permission {
  id: number
  path: string
  title: string
  description: string
}

export interface Area {
  key: string
  title: string
  permissions: Permission[]
}

export interface PermissionSelection {
  ids: Set<number>
  isEditable: boolean
  onChange: (ids: number[], isSelected: boolean) => void
}

interface PermissionAreaProps {
  area: Area
  /** Shows only matching permissions. */
  keyword: string
  selection: PermissionSelection
}

/** The permissions of an area, selected together or singly, and the admin pages that they open. */
export function PermissionArea({ area, keyword, selection }: PermissionAreaProps) {
  const { user, permissions: own } = useSession()
  const { ids, isEditable, onChange } = selection
  const grantedPaths = new Set(own.map(({ path }) => path))
  // Users can grant only the permissions that they hold themselves.
  const grantable = area.permissions.filter(({ path }) => isEditable && (user.id === rootId || grantedPaths.has(path)))
  const matching = area.permissions.filter(({ title, path }) =>
    `${area.title} ${title} ${path}`.toLowerCase().includes(keyword.trim().toLowerCase()),
  )
  if (matching.length === 0) return null
  const count = area.permissions.filter(({ id }) => ids.has(id)).length
  const isAll = count === area.permissions.length
  return (
    <Card
      size="small"
      title={
        <Checkbox
          checked={isAll}
          indeterminate={count > 0 && !isAll}
          disabled={grantable.length === 0}
          onChange={(event) =>
            onChange(
              grantable.map(({ id }) => id),
              event.target.checked,
            )
          }
        >
          {area.title}
        </Checkbox>
      }
      extra={<Typography.Text type="secondary">{`${count} / ${area.permissions.length}`}</Typography.Text>}
    >
      <Flex vertical gap={6}>
        {matching.map((permission) => (
          <Checkbox
            key={permission.id}
            checked={ids.has(permission.id)}
            disabled={!grantable.includes(permission)}
            onChange={(event) => onChange([permission.id], event.target.checked)}
          >
            <Tooltip title={permission.path} placement="topLeft" mouseEnterDelay={0.6}>
              {permission.title || permission.path}
            </Tooltip>
          </Checkbox>
        ))}
      </Flex>
      <AdminPageTags area={area} selectedIds={ids} />
    </Card>
  )
}

/** Admin pages are opened by the area's list permission; without it the other permissions have no page. */
function AdminPageTags({ area, selectedIds }: { area: Area; selectedIds: Set<number> }) {
  const pageLabel = use(PageLabels)
  const opener = area.permissions.find(({ path }) => getAdminPages([path]).length > 0)
  if (!opener) return null
  const labels = getAdminPages([opener.path]).flatMap((page) => pageLabel(page) ?? [])
  const isOpen = selectedIds.has(opener.id)
  const isUnreachable = !isOpen && area.permissions.some(({ id }) => selectedIds.has(id))
  if (labels.length === 0) return null
  return (
    <div className={styles.adminPageTags}>
      <Typography.Text type={isUnreachable ? 'warning' : 'secondary'}>
        {isUnreachable ? `勾选“${opener.title}”后才能打开后台页面：` : '后台页面：'}
      </Typography.Text>
      {labels.map((label) => (
        <Tag key={label} variant="filled" color={isOpen ? 'green' : undefined}>
          {label}
        </Tag>
      ))}
    </div>
  )
}
