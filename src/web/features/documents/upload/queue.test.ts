import { expect, test } from 'vitest'
import type { Progress } from '#shared/contract/documents.ts'
import { ApiError } from '#shared/errors.ts'
import { rulesOf } from './acceptance.ts'
import { LoginLost } from './patience.ts'
import { openQueue } from './queue.ts'
import { countRows } from './row.ts'
import type { Job } from './upload-file.ts'

const rules = rulesOf({ document_allowed_ext: [], max_document_size: 50 })

/** A queue whose files go where the test lets them. */
function queueOf(...names: string[]) {
  const jobs = new Map<string, { job: Job; end: (error?: unknown) => void }>()
  const dropped: string[] = []
  const queue = openQueue({
    upload: (job) =>
      new Promise((resolve, reject) => {
        job.move('hash')
        const end = (error?: unknown) => (error ? reject(error) : resolve())
        jobs.set(job.row().file.name, { job, end })
        job.signal.addEventListener('abort', () => reject(job.signal.reason))
      }),
    converting: () => {},
    drop: ({ file }) => dropped.push(file.name),
  })
  const files = names.map((name) => new File(['内容'], name, { lastModified: 1 }))
  queue.add(files, { rules, left: [] })
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0))
  const finish = async (name: string, error?: unknown) => {
    const { job, end } = jobs.get(name) ?? {}
    if (!error && job) {
      job.move('publish')
      job.move('published', { document: { id: job.row().id, uuid: name, status: 0 } })
    }
    end?.(error)
    await settle()
  }
  const states = () => Object.fromEntries(queue.state().rows.map(({ file, state }) => [file.name, state]))
  const rowOf = (name: string) => queue.state().rows.find(({ file }) => file.name === name)
  return { queue, jobs, dropped, finish, states, rowOf, settle }
}

test('two files go at a time, and nothing before somebody says so', async () => {
  const { queue, states, finish } = queueOf('一.pdf', '二.pdf', '三.pdf')
  expect(new Set(Object.values(states()))).toEqual(new Set(['draft']))
  queue.begin()
  queue.begin()
  expect(states()).toEqual({ '一.pdf': 'hashing', '二.pdf': 'hashing', '三.pdf': 'waiting' })
  await finish('二.pdf')
  expect(states()).toEqual({ '一.pdf': 'hashing', '二.pdf': 'converting', '三.pdf': 'hashing' })
})

test('a bad file says why and stops nobody; it can be tried again', async () => {
  const { queue, states, finish, rowOf } = queueOf('坏.pdf', '好.pdf', '也好.pdf')
  queue.begin()
  await finish('坏.pdf', new ApiError({ status: 400, message: '文件内容与扩展名不符' }))
  await finish('好.pdf')
  await finish('也好.pdf')
  expect(rowOf('坏.pdf')).toMatchObject({ state: 'failed', error: '文件内容与扩展名不符' })
  expect(countRows(queue.state().rows)).toMatchObject({ published: 2, failed: 1, busy: 0 })
  queue.retry(rowOf('坏.pdf')?.id ?? 0)
  expect(states()['坏.pdf']).toBe('hashing')
})

test('an error nobody foresaw is not shown to people', async () => {
  const { queue, finish, rowOf } = queueOf('一.pdf')
  queue.begin()
  await finish('一.pdf', new TypeError('x is undefined'))
  expect(rowOf('一.pdf')?.error).toBe('出错了，请重试')
})

test('an ended session parks everything under way, and beginning again goes on with what the server has', async () => {
  const { queue, jobs, states, finish, rowOf, settle } = queueOf('一.pdf', '二.pdf', '三.pdf')
  queue.begin()
  jobs.get('二.pdf')?.job.note({ kept: { hash: 'a', url: '/two', attachment: 0 } })
  await finish('一.pdf', new LoginLost())
  await settle()
  expect(new Set(Object.values(states()))).toEqual(new Set(['draft']))
  expect(queue.state().isParked).toBe(true)
  queue.begin()
  expect(queue.state().isParked).toBe(false)
  expect(rowOf('二.pdf')).toMatchObject({ state: 'hashing', kept: { url: '/two' } })
})

test('a removed file is stopped and given up, and the next takes its place', async () => {
  const { queue, jobs, states, dropped, rowOf, settle } = queueOf('一.pdf', '二.pdf', '三.pdf')
  queue.begin()
  queue.remove(rowOf('一.pdf')?.id ?? 0)
  await settle()
  expect(jobs.get('一.pdf')?.job.signal.aborted).toBe(true)
  expect(states()).toEqual({ '二.pdf': 'hashing', '三.pdf': 'hashing' })
  expect(dropped).toEqual(['一.pdf'])
})

test('clearing gives up what is not published, and nothing comes back from the dead', async () => {
  const { queue, jobs, dropped, finish, settle } = queueOf('一.pdf', '二.pdf')
  queue.begin()
  await finish('一.pdf')
  const late = jobs.get('二.pdf')?.job
  queue.clear()
  await settle()
  expect(() => late?.move('send')).toThrow()
  late?.note({ sent: 1 })
  expect(queue.state().rows).toEqual([])
  expect(dropped).toEqual(['二.pdf'])
})

test('what holds for all is taken when a file is begun, unless it has its own', () => {
  const { queue, rowOf } = queueOf('一.pdf', '二.pdf')
  queue.plan({ category: [1, 2], language: 'zh-CN', price: '5' })
  queue.edit(rowOf('二.pdf')?.id ?? 0, { price: '9', language: 'en' })
  queue.begin()
  queue.plan({ category: [3], price: '7' })
  expect(rowOf('一.pdf')).toMatchObject({ category: [1, 2], language: 'zh-CN', price: '5' })
  expect(rowOf('二.pdf')).toMatchObject({ category: [1, 2], language: 'en', price: '9' })
})

test('conversions are followed until nothing more happens by itself', async () => {
  const { queue, finish, rowOf } = queueOf('一.pdf', '二.pdf')
  queue.begin()
  await finish('一.pdf')
  await finish('二.pdf')
  const [one = 0, two = 0] = queue.convertingIds()
  const progress = (id: number, status: number): Progress => ({
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
  queue.noteProgress([one, two], [progress(one, 1), progress(two, 3)])
  expect(rowOf('一.pdf')).toMatchObject({ state: 'converting', document: { pages: 3, read: 1 } })
  expect(rowOf('二.pdf')).toMatchObject({ state: 'done', document: { status: 3 } })
  queue.noteProgress([one], [progress(one, 2)])
  expect(rowOf('一.pdf')?.state).toBe('done')
})
