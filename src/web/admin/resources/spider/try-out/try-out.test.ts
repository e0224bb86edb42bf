import { expect, test } from 'vitest'
import { ContentType } from '#shared/enums.ts'
import {
  countFound,
  explainNothing,
  maxTriedPages,
  tryOut,
  type TriedRule,
  type TryOutState,
  type TryReply,
} from '#web/admin/resources/spider/try-out/try-out.ts'

const start = 'https://library.example/docs/'
const rule: TriedRule = { name: '资料', start: [start] }

function reply(url: string, found: Partial<TryReply> = {}): TryReply {
  return {
    url,
    reason: '',
    detail: '',
    http_status: 200,
    duration_ms: 20,
    title: '',
    description: '',
    keywords: '',
    dated_at: null,
    page: [],
    document: [],
    excerpt: '',
    skipped: 0,
    ...found,
  }
}

function document(name: string): TryReply['document'][number] {
  return { url: `${start}${name}`, title: name, category_id: [] }
}

async function run(ask: (url: string) => TryReply, signal = new AbortController().signal): Promise<TryOutState[]> {
  const states: TryOutState[] = []
  await tryOut(start, { ask: async (url) => ask(url), signal, onProgress: (state) => states.push(state) })
  return states
}

test('the start is read, then the pages that it names, each once, and no more than a few', async () => {
  const states = await run((url) =>
    reply(url, { page: [start, ...Array.from({ length: 20 }, (_, at) => `${start}${at}`)], document: [document('a')] }),
  )
  const last = states.at(-1)
  expect(last?.current).toBeUndefined()
  expect(last?.pages.map(({ url }) => url)).toEqual([start, ...[0, 1, 2, 3, 4].map((at) => `${start}${at}`)])
  expect(last?.pages.length).toBe(maxTriedPages)
  expect(countFound(last?.pages ?? [])).toBe(1)
  // Each page is announced before it is asked for.
  expect(states.map(({ pages, current }) => [pages.length, current === undefined])).toEqual([
    ...[0, 1, 2, 3, 4, 5].map((count) => [count, false]),
    [6, true],
  ])
})

test('a page that fails does not stop the others; a refused rule does', async () => {
  const [second, third] = [`${start}2`, `${start}3`]
  const states = await run((url) =>
    url === second ? reply(url, { reason: 'not_found' }) : reply(url, { page: [second, third] }),
  )
  expect(states.at(-1)?.pages.map(({ reply: { reason } }) => reason)).toEqual(['', 'not_found', ''])

  const refusal = new Error('选择器写错了')
  const refused = await run(() => {
    throw refusal
  })
  expect(refused.at(-1)).toEqual({ pages: [], error: refusal })
})

test('what arrives after it was stopped is dropped', async () => {
  const controller = new AbortController()
  const states = await run((url) => {
    controller.abort()
    return reply(url)
  }, controller.signal)
  expect(states).toEqual([{ pages: [], current: start }])
})

test('where nothing is found, the advice follows from what was read', () => {
  const tell = (found: Partial<TryReply>, changes: Partial<TriedRule> = {}) =>
    explainNothing({ ...rule, ...changes }, [{ url: start, reply: reply(start, found) }]).join()
  expect(tell({ reason: 'robots' })).toContain('没有一页能够读取')
  expect(tell({ skipped: 7 })).toContain('有 7 个链接被规则排除')
  expect(tell({})).toContain('没有可以继续的链接')
  expect(tell({ page: [`${start}2`] })).toContain('更深的地方')
  expect(tell({})).toContain('“格式”')
  expect(tell({}, { target: ContentType.Article })).toContain('“正文”的选择器')
})
