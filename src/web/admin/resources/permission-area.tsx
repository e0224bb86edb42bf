import { Card, Checkbox, Flex, Tag, Tooltip, Typography } from 'antd'
import { pagesOf, rootId } from '#shared/permissions.ts'
import { pageLabel } from '#web/admin/menu.tsx'
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

export interface Granted {
  chosen: Set<number>
  editable: boolean
  onChoose: (ids: number[], on: boolean) => void
}

/** One area: all of it at once, or permission by permission; and the admin pages it opens. */
export function PermissionArea({ area, words, granted }: { area: Area; words: string; granted: Granted }) {
  const { user, permissions: own } = useSession()
  const { chosen, editable, onChoose } = granted
  const held = new Set(own.map(({ path }) => path))
  // Nobody can hand on what they do not hold themselves.
  const changeable = area.permissions.filter(({ path }) => editable && (user.id === rootId || held.has(path)))
  const found = area.permissions.filter(({ title, path }) =>
    `${area.title} ${title} ${path}`.toLowerCase().includes(words.trim().toLowerCase()),
  )
  if (found.length === 0) return null
  const count = area.permissions.filter(({ id }) => chosen.has(id)).length
  const all = count === area.permissions.length
  return (
    <Card
      size="small"
      title={
        <Checkbox
          checked={all}
          indeterminate={count > 0 && !all}
          disabled={changeable.length === 0}
          onChange={(event) =>
            onChoose(
              changeable.map(({ id }) => id),
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
        {found.map((permission) => (
          <Checkbox
            key={permission.id}
            checked={chosen.has(permission.id)}
            disabled={!changeable.includes(permission)}
            onChange={(event) => onChoose([permission.id], event.target.checked)}
          >
            <Tooltip title={permission.path} placement="topLeft" mouseEnterDelay={0.6}>
              {permission.title || permission.path}
            </Tooltip>
          </Checkbox>
        ))}
      </Flex>
      <Pages area={area} chosen={chosen} />
    </Card>
  )
}

/** Pages open with the area's list permission only; the others without it lead nowhere in the back office. */
function Pages({ area, chosen }: { area: Area; chosen: Set<number> }) {
  const opener = area.permissions.find(({ path }) => pagesOf([path]).length > 0)
  if (!opener) return null
  const labels = pagesOf([opener.path]).flatMap((page) => pageLabel(page) ?? [])
  const open = chosen.has(opener.id)
  const dead = !open && area.permissions.some(({ id }) => chosen.has(id))
  if (labels.length === 0) return null
  return (
    <div className="wa-pages">
      <Typography.Text type={dead ? 'warning' : 'secondary'}>
        {dead ? `勾选“${opener.title}”后才能打开后台页面：` : '后台页面：'}
      </Typography.Text>
      {labels.map((label) => (
        <Tag key={label} variant="filled" color={open ? 'green' : undefined}>
          {label}
        </Tag>
      ))}
    </div>
  )
}
