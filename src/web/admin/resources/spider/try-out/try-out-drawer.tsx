import { ExperimentOutlined } from '@ant-design/icons'
import { Alert, Button, Drawer, Flex, Spin } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import type { SpiderSource } from '#shared/contract/spider.ts'
import { ContentType, contentTypeLabels } from '#shared/enums.ts'
import { getErrorMessage, useTask } from '#web/admin/engine/feedback.ts'
import { QueryState } from '#web/admin/engine/query-state.tsx'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import type { FormToolProps, PanelProps } from '#web/admin/resource.ts'
import { PageResult } from '#web/admin/resources/spider/try-out/page-result.tsx'
import {
  countFound,
  explainNothing,
  isSitemap,
  maxTriedPages,
  tryOut,
  type TriedRule,
  type TryOutOptions,
  type TryOutState,
} from '#web/admin/resources/spider/try-out/try-out.ts'
import styles from '#web/admin/resources/spider/try-out/try-out.module.css'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

/** Tries the values of the form before they are saved. */
export function TryOutButton({ read, showErrors }: FormToolProps<TriedRule>) {
  const { canCall } = usePermissions()
  const { busy, run } = useTask()
  const [rule, setRule] = useState<TriedRule>()
  if (!canCall(contract.spiderSources.try)) return null
  const closeAtField = (error: unknown) => {
    if (showErrors(error)) setRule(undefined)
  }
  return (
    <>
      <Button icon={<ExperimentOutlined />} loading={busy} onClick={() => void run(async () => setRule(await read()))}>
        试采
      </Button>
      {rule && <TryOutDrawer rule={rule} onError={closeAtField} onClose={() => setRule(undefined)} />}
    </>
  )
}

/** Tries a source as it is saved. */
export function TryOutPanel({ row, onClose }: PanelProps<SpiderSource>) {
  const source = useQuery(row.id, () => api(contract.spiderSources.get, { id: row.id }))
  if (source.data) return <TryOutDrawer rule={source.data} onClose={onClose} />
  return (
    <Drawer open title={`试采：${row.name}`} size={720} onClose={onClose}>
      <QueryState query={source}>{() => null}</QueryState>
    </Drawer>
  )
}

interface TryOutDrawerProps {
  rule: TriedRule
  /** The server says that the rule is wrong, or does not answer. */
  onError?: (error: unknown) => void
  onClose: () => void
}

function TryOutDrawer({ rule, onError, onClose }: TryOutDrawerProps) {
  const { state, isStopped, restart, stop } = useTryOut(rule, onError)
  const isRunning = state.current !== undefined && !isStopped
  return (
    <Drawer
      open
      title={`试采：${rule.name}`}
      size={720}
      onClose={onClose}
      extra={
        isRunning ? (
          <Button danger onClick={stop}>
            停止
          </Button>
        ) : (
          <Button onClick={restart}>再试一次</Button>
        )
      }
    >
      <output className={styles.status}>
        {isRunning ? (
          <Flex gap={8} align="baseline">
            <Spin size="small" />
            <span>
              正在读第 {state.pages.length + 1} 页（最多 {maxTriedPages} 页）…
              <span className={styles.address}>{state.current}</span>
            </span>
          </Flex>
        ) : (
          <Verdict rule={rule} state={state} isStopped={isStopped} />
        )}
      </output>
      <ol className={styles.pages}>
        {state.pages.map((page, index) => (
          <li key={page.url}>
            <PageResult rule={rule} page={page} number={index + 1} />
          </li>
        ))}
      </ol>
    </Drawer>
  )
}

function Verdict({ rule, state: { pages, error }, isStopped }: VerdictProps) {
  if (error !== undefined) {
    return (
      <Alert type="error" showIcon title="试采没有完成" description={`${getErrorMessage(error)}。请改正之后再试。`} />
    )
  }
  const found = countFound(pages)
  const read = `${isStopped ? '已停止，' : ''}读了 ${pages.length} 页`
  if (found > 0) {
    const [unit, what] =
      rule.target === ContentType.Article ? ['篇', contentTypeLabels[rule.target]] : ['份', contentTypeLabels[0]]
    return (
      <Alert
        type="success"
        showIcon
        title={`${read}，会采集 ${found} ${unit}${what}`}
        description="没有保存任何东西。"
      />
    )
  }
  return (
    <Alert
      type="warning"
      showIcon
      title={`${read}，没有找到要采集的内容`}
      description={
        pages.length > 0 && (
          <ul className={styles.advice}>
            {explainNothing(rule, pages).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )
      }
    />
  )
}

interface VerdictProps {
  rule: TriedRule
  state: TryOutState
  isStopped: boolean
}

/** Begins at once; ends with the drawer. */
function useTryOut(rule: TriedRule, onError?: (error: unknown) => void) {
  const [start = ''] = rule.start
  const [state, setState] = useState<TryOutState>({ pages: [], current: start })
  const [isStopped, setIsStopped] = useState(false)
  const [round, setRound] = useState(0)
  const controller = useRef<AbortController>(undefined)
  const ask = useEffectEvent((url: string) =>
    api(contract.spiderSources.try, { ...rule, url, is_sitemap: url === start && isSitemap(rule) }),
  )
  const begin = useEffectEvent((_round: number, options: TryOutOptions) => tryOut(rule, options))
  const fail = useEffectEvent((error: unknown) => onError?.(error))
  useEffect(() => {
    const current = (controller.current = new AbortController())
    const onProgress = (next: TryOutState) => {
      setState(next)
      if (next.error !== undefined) fail(next.error)
    }
    void begin(round, { ask: (url) => ask(url), signal: current.signal, onProgress })
    return () => current.abort()
  }, [round])
  const stop = () => {
    controller.current?.abort()
    setIsStopped(true)
  }
  const restart = () => {
    setIsStopped(false)
    setState({ pages: [], current: start })
    setRound(round + 1)
  }
  return { state, isStopped, stop, restart }
}
