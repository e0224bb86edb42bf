import { Card, Checkbox, Flex, Tag, Tooltip, Typography } from 'antd'
import { use } from 'react'
import { getAdminPages } from '#shared/permissions.ts'
import { getPermissionTitle } from '#web/admin/resources/users/permission-title.ts'
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
  /** Those of its permissions that were searched for. */
  matching: Permission[]
  selection: PermissionSelection
}

/** The permissions of an area, selected together or singly, and the admin pages that they open. */
export function PermissionArea({ area, matching, selection }: PermissionAreaProps) {
  const { permissions: own } = useSession()
  const { ids, isEditable, onChange } = selection
  const grantedPaths = new Set(own.map(({ path }) => path))
  // Users can grant only the permissions that they hold themselves.
  const grantable = matching.filter(({ path }) => isEditable && grantedPaths.has(path))
  const count = area.permissions.filter(({ id }) => ids.has(id)).length
  const isAll = matching.every(({ id }) => ids.has(id))
  return (
    <fieldset aria-label={area.title}>
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
              <Tooltip title={permission.description} placement="topLeft" mouseEnterDelay={0.6}>
                {getPermissionTitle(permission)}
              </Tooltip>
            </Checkbox>
          ))}
        </Flex>
        <AdminPageTags area={area} selectedIds={ids} />
      </Card>
    </fieldset>
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
        {isUnreachable ? `勾选“${getPermissionTitle(opener)}”后才能打开后台页面：` : '后台页面：'}
      </Typography.Text>
      {labels.map((label) => (
        <Tag key={label} variant="filled" color={isOpen ? 'green' : undefined}>
          {label}
        </Tag>
      ))}
    </div>
  )
}
