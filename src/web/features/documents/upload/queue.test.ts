import { DocumentStatus } from '#shared/document-status.ts'
import { expect, test } from 'vitest'
import type { Progress } from '#shared/contract/documents.ts'
import { ApiError } from '#shared/errors.ts'
import { uploadRules } from '#web/features/documents/upload/acceptance.ts'
import { SessionExpired } from '#web/features/documents/upload/transfer/retry-until-online.ts'
import { createQueue } from '#web/features/documents/upload/queue.ts'
import { describeResult, describeRow } from '#web/features/documents/upload/row-text.ts'
import { countRows, hasFailed } from '#web/features/documents/upload/row.ts'
import type { UploadJob } from '#web/features/documents/upload/transfer/upload-file.ts'

const rules = uploadRules({ document_allowed_ext: [], max_document_size: 50 })

/** A queue whose uploads end when the test says so. */
function queueOf(...names: string[]) {
  const jobs = new Map<string, { job: UploadJob; end: (error?: unknown) => void }>()
  const abandoned: string[] = []
  const queue = createQueue({
    upload: (job) =>
      new Promise((resolve, reject) => {
        job.transition('hash')
        const end = (error?: unknown) => (error ? reject(error) : resolve())
        jobs.set(job.row().file.name, { job, end })
        job.signal.addEventListener('abort', () => reject(job.signal.reason))
      }),
    onPublished: () => {},
    abandon: ({ file }) => abandoned.push(file.name),
  })
  const files = names.map((name) => new File(['内容'], name, { lastModified: 1 }))
  queue.add(files, { rules, unfinished: [] })
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0))
  const finish = async (name: string, error?: unknown) => {
    const { job, end } = jobs.get(name) ?? {}
    if (!error && job) {
      job.transition('publish')
      job.transition('published', { document: { id: job.row().id, uuid: name, status: DocumentStatus.Pending } })
    }
    end?.(error)
    await settle()
  }
  const states = () => Object.fromEntries(queue.state().rows.map(({ file, state }) => [file.name, state]))
  const rowOf = (name: string) => queue.state().rows.find(({ file }) => file.name === name)
  return { queue, jobs, abandoned, finish, states, rowOf, settle }
}

test('two files upload at a time, after the member has started them', async () => {
  const { queue, states, finish } = queueOf('一.pdf', '二.pdf', '三.pdf')
  expect(new Set(Object.values(states()))).toEqual(new Set(['draft']))
  queue.start()
  queue.start()
  expect(states()).toEqual({ '一.pdf': 'hashing', '二.pdf': 'hashing', '三.pdf': 'waiting' })
  await finish('二.pdf')
  expect(states()).toEqual({ '一.pdf': 'hashing', '二.pdf': 'converting', '三.pdf': 'hashing' })
})

test('what staff upload for a member is published as theirs', () => {
  const { queue, rowOf } = queueOf('一.pdf', '二.pdf')
  queue.setDefaults({ owner: { name: '老师', id: 7 } })
  queue.start()
  expect(rowOf('一.pdf')?.owner).toBe(7)
})

test('a failed file shows the reason, does not stop the others, and can be retried', async () => {
  const { queue, states, finish, rowOf } = queueOf('坏.pdf', '好.pdf', '也好.pdf')
  queue.start()
  await finish('坏.pdf', new ApiError({ status: 400, message: '文件内容与扩展名不符' }))
  await finish('好.pdf')
  await finish('也好.pdf')
  expect(rowOf('坏.pdf')).toMatchObject({ state: 'failed', error: '文件内容与扩展名不符' })
  expect(countRows(queue.state().rows)).toMatchObject({ submitted: 2, converting: 2, published: 0, failed: 1, busy: 0 })
  queue.retry(rowOf('坏.pdf')?.id ?? 0)
  expect(states()['坏.pdf']).toBe('hashing')
})

test('the message of an unexpected error is not shown', async () => {
  const { queue, finish, rowOf } = queueOf('一.pdf')
  queue.start()
  await finish('一.pdf', new TypeError('x is undefined'))
  expect(rowOf('一.pdf')?.error).toBe('出错了，请重试')
})

test('an expired session suspends the uploads, and starting again resumes them', async () => {
  const { queue, jobs, states, finish, rowOf, settle } = queueOf('一.pdf', '二.pdf', '三.pdf')
  queue.start()
  jobs.get('二.pdf')?.job.update({ server: { hash: 'a', url: '/two', attachment: 0 } })
  await finish('一.pdf', new SessionExpired())
  await settle()
  expect(new Set(Object.values(states()))).toEqual(new Set(['draft']))
  expect(queue.state().isSuspended).toBe(true)
  queue.start()
  expect(queue.state().isSuspended).toBe(false)
  expect(rowOf('二.pdf')).toMatchObject({ state: 'hashing', server: { url: '/two' } })
})

test('a removed file is stopped and abandoned, and the next one starts', async () => {
  const { queue, jobs, states, abandoned, rowOf, settle } = queueOf('一.pdf', '二.pdf', '三.pdf')
  queue.start()
  queue.remove(rowOf('一.pdf')?.id ?? 0)
  await settle()
  expect(jobs.get('一.pdf')?.job.signal.aborted).toBe(true)
  expect(states()).toEqual({ '二.pdf': 'hashing', '三.pdf': 'hashing' })
  expect(abandoned).toEqual(['一.pdf'])
})

test('clearing abandons unpublished files, and late changes are ignored', async () => {
  const { queue, jobs, abandoned, finish, settle } = queueOf('一.pdf', '二.pdf')
  queue.start()
  await finish('一.pdf')
  const late = jobs.get('二.pdf')?.job
  queue.clear()
  await settle()
  expect(() => late?.transition('send')).toThrow()
  late?.update({ sent: 1 })
  expect(queue.state().rows).toEqual([])
  expect(abandoned).toEqual(['二.pdf'])
})

test('a file takes the defaults when it starts, unless it has its own values', () => {
  const { queue, rowOf } = queueOf('一.pdf', '二.pdf')
  queue.setDefaults({ category: [1, 2], language: 'zh-CN', price: '5' })
  queue.edit(rowOf('二.pdf')?.id ?? 0, { price: '9', language: 'en' })
  queue.start()
  queue.setDefaults({ category: [3], price: '7' })
  expect(rowOf('一.pdf')).toMatchObject({ category: [1, 2], language: 'zh-CN', price: '5' })
  expect(rowOf('二.pdf')).toMatchObject({ category: [1, 2], language: 'en', price: '9' })
})

test('conversions are followed until they are finished', async () => {
  const { queue, finish, rowOf } = queueOf('一.pdf', '二.pdf')
  queue.start()
  await finish('一.pdf')
  await finish('二.pdf')
  const [one = 0, two = 0] = queue.convertingIds()
  const progress = (id: number, status: DocumentStatus): Progress => ({
    id,
    uuid: 'u',
    status,
    pages: 3,
    preview: 3,
    first: 0,
    read: 1,
    cover: '',
    hash: 'h',
    convert_error: '',
  })
  queue.updateProgress([one, two], [progress(one, DocumentStatus.Converting), progress(two, DocumentStatus.Failed)])
  expect(rowOf('一.pdf')).toMatchObject({ state: 'converting', document: { pages: 3, read: 1 } })
  expect(rowOf('二.pdf')).toMatchObject({ state: 'done', document: { status: DocumentStatus.Failed } })
  queue.updateProgress([one], [progress(one, DocumentStatus.Converted)])
  expect(rowOf('一.pdf')?.state).toBe('done')
})

test('a document under review is followed until its conversion has ended, and again with another file', async () => {
  const { queue, finish, rowOf } = queueOf('审.pdf', '坏.pdf')
  queue.start()
  await finish('审.pdf')
  await finish('坏.pdf')
  const [good = 0, bad = 0] = queue.convertingIds()
  const none = { uuid: 'u', preview: 0, first: 0, read: 0, cover: '', hash: '', convert_error: '' }
  const waiting = { ...none, status: DocumentStatus.InReview, pages: 0 }
  queue.updateProgress(
    [good, bad],
    [
      { ...waiting, id: good },
      { ...waiting, id: bad },
    ],
  )
  expect(rowOf('审.pdf')?.state).toBe('converting')
  queue.updateProgress(
    [good, bad],
    [
      { ...waiting, id: good, pages: 3 },
      { ...waiting, id: bad, status: DocumentStatus.Failed, convert_error: '文件已损坏' },
    ],
  )
  expect(describeResult(countRows(queue.state().rows))).toBe('已提交 2 个：待审核 1 个，转换失败 1 个')
  const row = rowOf('坏.pdf')
  expect(row && [hasFailed(row), describeRow(row).text]).toEqual([true, '转换失败：文件已损坏。替换文件不占上传数量'])
  queue.followAgain(row?.id ?? 0)
  expect(queue.convertingIds()).toEqual([bad])
})

test('a file with a category of its own keeps it, also in a retry', async () => {
  const { queue, rowOf, finish } = queueOf('一.pdf', '二.pdf')
  queue.setDefaults({ category: [1, 2] })
  queue.edit(rowOf('二.pdf')?.id ?? 0, { ownCategory: [3] })
  queue.start()
  expect(rowOf('一.pdf')?.category).toEqual([1, 2])
  expect(rowOf('二.pdf')?.category).toEqual([3])
  await finish('二.pdf', new ApiError({ status: 400, message: '所选分类不存在' }))
  queue.retry(rowOf('二.pdf')?.id ?? 0)
  expect(rowOf('二.pdf')?.category).toEqual([3])
})

test('a title comes from the file, unless it has none or the member has typed one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const queue = createQueue({
    upload: () => new Promise(() => {}),
    onPublished: () => {},
    abandon: () => {},
    async readTitle({ name }) {
      await promise
      return name === '没有.pdf' ? '' : `${name} 的标题`
    },
  })
  const files = ['有.pdf', '没有.pdf', '改过.pdf'].map((name) => new File(['内容'], name, { lastModified: 1 }))
  queue.add(files, { rules, unfinished: [] })
  const [, , edited] = queue.state().rows
  queue.edit(edited?.id ?? 0, { title: '想好的' })
  resolve()
  await expect
    .poll(() => queue.state().rows.map(({ title, titleSource }) => `${title} ${titleSource}`))
    .toEqual(['有.pdf 的标题 metadata', '没有 file-name', '想好的 member'])
})

test('the result counts what the server has said last', async () => {
  const { queue, finish, rowOf } = queueOf('好.pdf', '审.pdf', '坏.pdf', '没.pdf', '错.pdf')
  queue.start()
  for (const name of ['好.pdf', '审.pdf', '坏.pdf', '没.pdf']) await finish(name)
  await finish('错.pdf', new ApiError({ status: 400, message: '文件内容与扩展名不符' }))
  expect(describeResult(countRows(queue.state().rows))).toBe('已提交 4 个：转换中 4 个；失败 1 个')
  const progressOf = (name: string, status: DocumentStatus, convert_error = '') => {
    const { id = 0, uuid = '' } = rowOf(name)?.document ?? {}
    const none = { pages: 1, preview: 1, first: 0, read: 1, cover: '', hash: '' }
    return { ...none, id, uuid, status, convert_error } satisfies Progress
  }
  queue.updateProgress(queue.convertingIds(), [
    progressOf('好.pdf', DocumentStatus.Converted),
    progressOf('审.pdf', DocumentStatus.InReview),
    progressOf('坏.pdf', DocumentStatus.Failed, '文件已损坏'),
  ])
  expect(describeResult(countRows(queue.state().rows))).toBe(
    '已提交 4 个：已发布 1 个，待审核 1 个，转换失败 1 个，未通过或已删除 1 个；失败 1 个',
  )
})
