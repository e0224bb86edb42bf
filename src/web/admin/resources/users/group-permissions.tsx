import { SearchOutlined } from '@ant-design/icons'
import { Button, Drawer, Empty, Flex, Input, Typography } from 'antd'
import { useState } from 'react'
import type { Group } from '#shared/contract/group.ts'
import { contract } from '#shared/contract/contract.ts'
import { administratorsId, getPermissionArea } from '#shared/permissions.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { QueryState } from '#web/admin/engine/query-state.tsx'
import { useUnsavedChanges } from '#web/admin/engine/forms/use-unsaved-changes.ts'
import type { PanelProps } from '#web/admin/resource.ts'
import { type Area, type PermissionSelection, PermissionArea } from '#web/admin/resources/users/permission-area.tsx'
import { getPermissionTitle } from '#web/admin/resources/users/permission-title.ts'
import styles from '#web/admin/resources/users/users.module.css'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

/** The permissions of a group, by area. */
export function GroupPermissions({ row, onClose, onDone }: PanelProps<Group>) {
  const query = useQuery(row.id, () => load(row.id))
  const [editedIds, setEditedIds] = useState<Set<number>>()
  const [keyword, setKeyword] = useState('')
  const unsaved = useUnsavedChanges()
  const { canCall } = usePermissions()
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const holdsAll = row.id === administratorsId
  const isEditable = canCall(contract.groups.setPermissions) && !holdsAll
  const ids = editedIds ?? query.data?.granted ?? new Set()
  const shown = query.data?.areas.flatMap(({ permissions }) => permissions) ?? []
  const close = () => unsaved.confirmLeave(onClose)
  const change: PermissionSelection['onChange'] = (changedIds, isSelected) => {
    const others = [...ids].filter((id) => !changedIds.includes(id))
    setEditedIds(new Set(isSelected ? [...others, ...changedIds] : others))
    unsaved.markDirty()
  }
  const save = () =>
    run(async () => {
      try {
        await api(contract.groups.setPermissions, { group_id: row.id, permission_id: [...ids] })
        unsaved.markSaved()
        showSuccess('权限已保存，立即生效')
        onDone()
      } catch (error) {
        showError('保存权限', error)
      }
    })
  const footer = (
    <Flex align="center" gap={8}>
      <Typography.Text type="secondary" style={{ flex: 1 }}>
        已选 {shown.filter(({ id }) => ids.has(id)).length} / {shown.length} 项
      </Typography.Text>
      <Button onClick={close}>{isEditable ? '取消' : '关闭'}</Button>
      {isEditable && (
        <Button type="primary" loading={busy} disabled={!editedIds} onClick={() => void save()}>
          保存
        </Button>
      )}
    </Flex>
  )
  return (
    <Drawer open title={`用户组权限：${row.title}`} size={880} onClose={close} footer={footer}>
      <QueryState query={query}>
        {({ areas }) => (
          <>
            {holdsAll && (
              <Typography.Paragraph type="secondary">
                超级管理员总是拥有全部权限，包括以后新增的，不用设置。
              </Typography.Paragraph>
            )}
            <Input
              allowClear
              prefix={<SearchOutlined />}
              placeholder="搜索权限，如：审核、分类、删除"
              aria-label="搜索权限"
              onChange={(event) => setKeyword(event.target.value)}
            />
            <PermissionAreas areas={areas} keyword={keyword} selection={{ ids, isEditable, onChange: change }} />
          </>
        )}
      </QueryState>
    </Drawer>
  )
}

interface PermissionAreasProps {
  areas: Area[]
  keyword: string
  selection: PermissionSelection
}

function PermissionAreas({ areas, keyword, selection }: PermissionAreasProps) {
  const matching = areas.flatMap((area) => {
    const permissions = area.permissions.filter((permission) => matches(area, permission, keyword))
    return permissions.length > 0 ? [{ area, permissions }] : []
  })
  if (matching.length === 0)
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`没有与“${keyword.trim()}”有关的权限`} />
  return (
    <div className={styles.areas}>
      {matching.map(({ area, permissions }) => (
        <PermissionArea key={area.key} area={area} matching={permissions} selection={selection} />
      ))}
    </div>
  )
}

function matches({ title }: Area, permission: Area['permissions'][number], keyword: string): boolean {
  const words = keyword.toLowerCase().split(/\s+/)
  const text = `${title} ${getPermissionTitle(permission)} ${permission.description}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

async function load(groupId: number) {
  const [{ permission }, { permission_id }] = await Promise.all([
    api(contract.permissions.list),
    api(contract.groups.permissions, { id: groupId }),
  ])
  const areas = new Map<string, Area>()
  for (const each of permission) {
    const { key, title } = getPermissionArea(each.path)
    const area = areas.get(key) ?? { key, title, permissions: [] }
    area.permissions.push(each)
    areas.set(key, area)
  }
  return { areas: [...areas.values()], granted: new Set(permission_id) }
}
