import { Progress, Tag } from 'antd'
import { Link, useRevalidator } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import type { SpiderSource } from '#shared/contract/spider.ts'
import { contentTypeLabels } from '#shared/enums.ts'
import { SpiderSchedule, spiderScheduleLabels, SpiderSourceState, spiderSourceStateLabels } from '#shared/spider.ts'
import { call, goto, panel } from '#web/admin/actions.ts'
import cells from '#web/admin/cells.module.css'
import { SavingSwitch, Timestamp, TwoLines } from '#web/admin/cells.tsx'
import { customColumn, tagColumn, timeColumn, userColumn } from '#web/admin/columns.tsx'
import { useFeedback } from '#web/admin/engine/feedback.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { select } from '#web/admin/fields.tsx'
import { resource } from '#web/admin/resource.ts'
import { sourceFields } from '#web/admin/resources/spider/source-form.tsx'
import { Blocked } from '#web/admin/resources/spider/blocked.tsx'
import styles from '#web/admin/resources/spider/spider.module.css'
import { TryOutButton, TryOutPanel } from '#web/admin/resources/spider/try-out/try-out-drawer.tsx'
import { describeChanged, failedDocumentStatuses, stateColors } from '#web/admin/resources/spider/words.ts'
import { api as request } from '#web/lib/api.ts'

const api = contract.spiderSources
const { Idle, Running, Paused } = SpiderSourceState
const urlPage = '/admin/spider/url'
const documentPage = '/admin/spider/document'

export const spiderSources = resource({
  title: '采集源',
  api: { list: api.list, get: api.get, create: api.create, update: api.update, delete: api.delete },
  emptyText: '还没有采集源。用“新增采集源”写下从哪里采集，先“试采”看看会找到什么，再运行',
  summary: Blocked,
  isChanging: ({ source, block }) => block === '' && source.some(({ state }) => state === Running),
  columns: [
    customColumn('name', '名称', (row: SpiderSource) => <Name row={row} />, { width: 200 }),
    { key: 'id', width: 72, hiddenByDefault: true },
    customColumn('state', '进度', (row: SpiderSource) => <State row={row} />, { width: 150, text: stateText }),
    customColumn('found', '文档', (row: SpiderSource) => <Documents row={row} />, { width: 176, text: documentsText }),
    timeColumn('started_at', { label: '上次运行', unset: '还没有' }),
    customColumn('next_run_at', '下次运行', (row: SpiderSource) => <NextRun row={row} />, { width: 140 }),
    customColumn('enable', '启用', (row: SpiderSource) => <Enable row={row} />, { width: 72 }),
    tagColumn('target', contentTypeLabels, { label: '类型', width: 72, hiddenByDefault: true }),
    userColumn('username', 'user_id', { label: '上传者', hiddenByDefault: true }),
    timeColumn('created_at', { hiddenByDefault: true }),
  ],
  filters: ['wd', select('state', '进度', spiderSourceStateLabels), select('target', '类型', contentTypeLabels)],
  form: sourceFields,
  formWidth: 720,
  formTool: TryOutButton,
  actions: [
    call(api.start, '运行', {
      bulk: true,
      confirm: '按对方网站的要求慢慢读取；可以随时暂停。',
      successMessage: describeChanged,
      disabledReason: ({ state, enable }: SpiderSource) =>
        state === Idle ? unlessEnabled(enable) : '已经开始，还没有结束',
    }),
    call(api.start, '继续', {
      bulk: true,
      confirm: '从暂停的地方继续。',
      successMessage: describeChanged,
      disabledReason: ({ state, enable }: SpiderSource) => (state === Paused ? unlessEnabled(enable) : '没有暂停'),
    }),
    call(api.pause, '暂停', {
      bulk: true,
      confirm: '正在进行的请求会做完，其余的等您继续。',
      successMessage: describeChanged,
      disabledReason: ({ state }: SpiderSource) => (state === Running ? undefined : '没有运行'),
    }),
    call(api.stop, '结束', {
      bulk: true,
      confirm: '这一轮到此为止：还没有读的链接不再读，等待下载的文档留待以后。已经采到的都保留。',
      successMessage: describeChanged,
      disabledReason: ({ state }: SpiderSource) => (state === Idle ? '没有运行' : undefined),
    }),
    panel(api.try, '试采', TryOutPanel),
    goto(urlPage, '查看链接', ({ id }: SpiderSource) => `source_id=${id}`),
    goto(documentPage, '查看文档', ({ id }: SpiderSource) => `source_id=${id}`),
  ],
  rowName: ({ name }) => name,
  deleteWarning:
    '采集源、它的链接和还没有发布的采集文档（包括已下载的文件）都会被删除，正在进行的采集随之停止；已经发布的文档和文章保留。',
})

function unlessEnabled(enable: boolean): string | undefined {
  return enable ? undefined : '已停用，请先启用'
}

function Name({ row: { name, start, target } }: { row: SpiderSource }) {
  const [first = ''] = start
  return (
    <TwoLines
      primary={
        <>
          {name} <Tag variant="filled">{contentTypeLabels[target]}</Tag>
        </>
      }
      secondary={<span className={styles.address}>{first}</span>}
    />
  )
}

/** The state; of a source that has been run, how many of its pages have been read. */
function State({ row }: { row: SpiderSource }) {
  const { state, url_count, id, is_quiet, quiet_to } = row
  const { total, read } = countPages(row)
  return (
    <div className={styles.progress}>
      <span className={styles.numbers}>
        <Tag color={stateColors[state]} variant="filled">
          {spiderSourceStateLabels[state]}
        </Tag>
        {url_count.failed > 0 && (
          <Link to={`${urlPage}?source_id=${id}&status=3`} className={styles.failed}>
            失败 {url_count.failed.toLocaleString('zh-CN')}
          </Link>
        )}
      </span>
      {state === Running && is_quiet && <span>现在不采集，{quiet_to}:00 继续</span>}
      {total > 0 && (
        <>
          {state !== Idle && (
            <Progress percent={Math.floor((read / total) * 100)} size="small" showInfo={false} aria-label="网页进度" />
          )}
          <span className={cells.numeric}>
            网页 {read.toLocaleString('zh-CN')} / {total.toLocaleString('zh-CN')}
          </span>
        </>
      )}
    </div>
  )
}

function countPages({ url_count: { pending, crawling, done, failed } }: SpiderSource) {
  return { total: pending + crawling + done + failed, read: done + failed }
}

function stateText(row: SpiderSource): string {
  const { total, read } = countPages(row)
  return `${spiderSourceStateLabels[row.state]}，网页 ${read} / ${total}`
}

/** Each number leads to the documents that it counts. */
function Documents({ row: { id, found, downloaded, published, failed } }: { row: SpiderSource }) {
  const failures = failedDocumentStatuses.map((status) => `status=${status}`).join('&')
  return (
    <span className={styles.numbers}>
      <Link to={`${documentPage}?source_id=${id}`}>发现 {found.toLocaleString('zh-CN')}</Link>
      <span>下载 {downloaded.toLocaleString('zh-CN')}</span>
      <span>发布 {published.toLocaleString('zh-CN')}</span>
      {failed > 0 && (
        <Link to={`${documentPage}?source_id=${id}&${failures}`} className={styles.failed}>
          失败 {failed.toLocaleString('zh-CN')}
        </Link>
      )}
    </span>
  )
}

function documentsText({ found, downloaded, published, failed }: SpiderSource): string {
  return `发现 ${found}，下载 ${downloaded}，发布 ${published}，失败 ${failed}`
}

function NextRun({ row: { schedule, next_run_at, enable, state } }: { row: SpiderSource }) {
  if (schedule === SpiderSchedule.Once) return spiderScheduleLabels[schedule]
  if (!enable) return <TwoLines primary="已停用" secondary={spiderScheduleLabels[schedule]} />
  if (state === Paused) return <TwoLines primary="继续之后" secondary={spiderScheduleLabels[schedule]} />
  return <TwoLines primary={<Timestamp at={next_run_at} />} secondary={spiderScheduleLabels[schedule]} />
}

function Enable({ row }: { row: SpiderSource }) {
  const { canCall } = usePermissions()
  const { revalidate } = useRevalidator()
  const { showError } = useFeedback()
  const save = async (enable: boolean) => {
    try {
      // The update replaces the whole source, of which the list may be stale.
      await request(api.update, { ...(await request(api.get, { id: row.id })), enable })
      await revalidate()
    } catch (error) {
      showError('保存', error)
    }
  }
  return <SavingSwitch label="启用" checked={row.enable} save={canCall(api.update) ? save : undefined} />
}
