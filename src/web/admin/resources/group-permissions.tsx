import { Button, Drawer, Flex, Input, Typography } from 'antd'
import { useState } from 'react'
import type { Group } from '#shared/contract/access.ts'
import { contract } from '#shared/contract/contract.ts'
import { areaOf, permissionCatalogue } from '#shared/permissions.ts'
import { useAnswer } from '#web/admin/engine/answer.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { useMay } from '#web/admin/engine/gate.ts'
import { Waiting } from '#web/admin/engine/states.tsx'
import { useUnsaved } from '#web/admin/engine/unsaved.ts'
import type { PanelProps } from '#web/admin/resource.ts'
import { type Area, type Granted, PermissionArea } from '#web/admin/resources/permission-area.tsx'
import { api } from '#web/lib/api.ts'

/** What a group may do: every permission under its area. */
export function GroupPermissions({ row, onClose, onDone }: PanelProps<Group>) {
  const answer = useAnswer(() => load(row.id))
  const [edited, setEdited] = useState<Set<number>>()
  const [words, setWords] = useState('')
  const unsaved = useUnsaved()
  const may = useMay()
  const { busy, run } = useTask()
  const { done, failed } = useFeedback()
  const editable = may.call(contract.groups.setPermissions)
  const chosen = edited ?? answer.data?.granted ?? new Set()
  const close = () => unsaved.leave(onClose)
  const choose: Granted['onChoose'] = (ids, on) => {
    const others = [...chosen].filter((id) => !ids.includes(id))
    setEdited(new Set(on ? [...others, ...ids] : others))
    unsaved.touched()
  }
  const save = () =>
    run(async () => {
      try {
        await api(contract.groups.setPermissions, { group_id: row.id, permission_id: [...chosen] })
        unsaved.saved()
        done('权限已保存，立即生效')
        onDone()
      } catch (error) {
        failed('保存权限', error)
      }
    })
  const footer = (
    <Flex align="center" gap={8}>
      <Typography.Text type="secondary" className="wa-grow">
        已选 {chosen.size} / {answer.data?.total ?? 0} 项
      </Typography.Text>
      <Button onClick={close}>{editable ? '取消' : '关闭'}</Button>
      {editable && (
        <Button type="primary" loading={busy} disabled={!edited} onClick={() => void save()}>
          保存
        </Button>
      )}
    </Flex>
  )
  return (
    <Drawer open title={`用户组权限：${row.title}`} size={880} onClose={close} footer={footer} className="wa-drawer">
      <Waiting answer={answer}>
        {({ areas }) => (
          <>
            <Input.Search
              allowClear
              placeholder="按名称或路径筛选"
              aria-label="按名称或路径筛选"
              onChange={(event) => setWords(event.target.value)}
            />
            <div className="wa-areas">
              {areas.map((area) => (
                <PermissionArea
                  key={area.key}
                  area={area}
                  words={words}
                  granted={{ chosen, editable, onChoose: choose }}
                />
              ))}
            </div>
          </>
        )}
      </Waiting>
    </Drawer>
  )
}

async function load(groupId: number) {
  const [{ permission }, { permission_id }] = await Promise.all([
    api(contract.permissions.list),
    api(contract.groups.permissions, { id: groupId }),
  ])
  const areas = new Map<string, Area>()
  const order = new Map(permissionCatalogue.map(({ path }, index) => [path, index]))
  const place = ({ path }: { path: string }) => order.get(path) ?? order.size
  for (const one of permission.toSorted((a, b) => place(a) - place(b))) {
    const { key, title } = areaOf(one.path)
    const area = areas.get(key) ?? { key, title, permissions: [] }
    area.permissions.push(one)
    areas.set(key, area)
  }
  return { areas: [...areas.values()], total: permission.length, granted: new Set(permission_id) }
}
