import { Button, Drawer, Flex, Input, Typography } from 'antd'
import { useState } from 'react'
import type { Group } from '#shared/contract/group.ts'
import { contract } from '#shared/contract/contract.ts'
import { getPermissionArea, permissionCatalogue } from '#shared/permissions.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { QueryState } from '#web/admin/engine/query-state.tsx'
import { useUnsavedChanges } from '#web/admin/engine/forms/use-unsaved-changes.ts'
import type { PanelProps } from '#web/admin/resource.ts'
import { type Area, type PermissionSelection, PermissionArea } from '#web/admin/resources/users/permission-area.tsx'
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
  const isEditable = canCall(contract.groups.setPermissions)
  const ids = editedIds ?? query.data?.granted ?? new Set()
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
        已选 {ids.size} / {query.data?.total ?? 0} 项
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
            <Input.Search
              allowClear
              placeholder="按名称或路径筛选"
              aria-label="按名称或路径筛选"
              onChange={(event) => setKeyword(event.target.value)}
            />
            <div className={styles.areas}>
              {areas.map((area) => (
                <PermissionArea
                  key={area.key}
                  area={area}
                  keyword={keyword}
                  selection={{ ids, isEditable, onChange: change }}
                />
              ))}
            </div>
          </>
        )}
      </QueryState>
    </Drawer>
  )
}

async function load(groupId: number) {
  const [{ permission }, { permission_id }] = await Promise.all([
    api(contract.permissions.list),
    api(contract.groups.permissions, { id: groupId }),
  ])
  const areas = new Map<string, Area>()
  const indexes = new Map(permissionCatalogue.map(({ path }, index) => [path, index]))
  const indexOf = ({ path }: { path: string }) => indexes.get(path) ?? indexes.size
  for (const each of permission.toSorted((a, b) => indexOf(a) - indexOf(b))) {
    const { key, title } = getPermissionArea(each.path)
    const area = areas.get(key) ?? { key, title, permissions: [] }
    area.permissions.push(each)
    areas.set(key, area)
  }
  return { areas: [...areas.values()], total: permission.length, granted: new Set(permission_id) }
}
