import { useRevalidator } from 'react-router'
import type { Route } from './+types/history.ts'
import { historyStates, reading } from '#shared/contract/reading.ts'
import { HistoryRow } from '#web/features/documents/reading/history-row.tsx'
import { RecordingSwitch } from '#web/features/documents/reading/recording-switch.tsx'
import { ChoiceTabs } from '#web/features/lists/choice-tabs.tsx'
import { MemberList } from '#web/features/lists/member-list.tsx'
import { api, errorMessage } from '#web/lib/api.ts'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { parsePage } from '#web/ui/navigation/pagination.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'
import { RibbonDrawing } from '#web/ui/drawings/ribbon.tsx'

const size = 20
const stateTitles = { reading: '在读', finished: '已读完' }

export const clientLoader = load(async ({ api, url }) => {
  const state = historyStates.find((one) => one === url.searchParams.get('state')) ?? ''
  const page = parsePage(url.searchParams)
  const [list, { is_paused }] = await Promise.all([api(reading.history, { state, page, size }), api(reading.recording)])
  return { state, ...list, isPaused: is_paused, now: Date.now() }
}).client

export default function MyHistory({ loaderData: { state, total, history, isPaused, now } }: Route.ComponentProps) {
  return (
    <Card title="阅读记录" aside={(total > 0 || state !== '') && <ClearButton />}>
      <div className="-mt-2 mb-5 flex flex-wrap items-center justify-between gap-x-4 border-b border-line">
        <ChoiceTabs
          label="阅读记录的类别"
          choices={[
            { title: '全部', to: '/me/history', isChosen: state === '' },
            ...historyStates.map((one) => ({
              title: stateTitles[one],
              to: `/me/history?state=${one}`,
              isChosen: state === one,
            })),
          ]}
        />
        <RecordingSwitch isPaused={isPaused} />
      </div>
      <MemberList
        total={total}
        size={size}
        rows={history.length}
        firstPage={state === '' ? '?page=1' : `?state=${state}`}
        empty={<NoHistory isFiltered={state !== ''} />}
      >
        <ul className="divide-y divide-line">
          {history.map((item) => (
            <HistoryRow key={`${item.id} ${item.read_at}`} item={item} now={now} />
          ))}
        </ul>
      </MemberList>
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '阅读记录' })
}

function NoHistory({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return <EmptyState title="这里还没有文档" action={<ButtonLink to="/me/history">显示全部</ButtonLink>} />
  return (
    <EmptyState
      title="还没有阅读记录"
      drawing={<RibbonDrawing />}
      action={<ButtonLink to="/category">找一份来读</ButtonLink>}
    >
      读过的文档会列在这里，换一台设备也能接着读。
    </EmptyState>
  )
}

function ClearButton() {
  const { revalidate } = useRevalidator()
  const clear = async () => {
    try {
      await api(reading.clear)
      toast('阅读记录已清空')
    } catch (error) {
      toast(errorMessage(error, '没有清空，请稍后重试'), 'danger')
    }
    await revalidate()
  }
  return (
    <Confirm
      renderTrigger={(open) => (
        <Button variant="quiet" size="sm" onClick={open}>
          清空
        </Button>
      )}
      title="清空阅读记录？"
      description="所有文档读到哪里、是否读完都会删除，不能恢复。笔记和书签不受影响。"
      action="清空"
      danger
      onConfirm={clear}
    />
  )
}
