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
    unmatched: [],
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

interface RunOptions {
  signal?: AbortSignal
  changes?: Partial<TriedRule>
}

async function run(ask: (url: string) => TryReply, { signal, changes }: RunOptions = {}): Promise<TryOutState[]> {
  const states: TryOutState[] = []
  await tryOut(
    { ...rule, ...changes },
    {
      ask: async (url) => ask(url),
      signal: signal ?? new AbortController().signal,
      onProgress: (state) => states.push(state),
    },
  )
  return states
}

function addressesOf(states: readonly TryOutState[]): string[] {
  return states.at(-1)?.pages.map(({ url }) => url.slice(start.length)) ?? []
}

test('the start is read, then pages that it names, each once, and no more than a few', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `${start}${at}`)
  const states = await run((url) => reply(url, { page: [start, ...names], document: [document('a')] }))
  const [first, ...others] = addressesOf(states)
  expect(first).toBe('')
  expect(new Set(others).size).toBe(maxTriedPages - 1)
  expect(countFound(states.at(-1)?.pages ?? [])).toBe(1)
  // Each page is announced before it is asked for.
  expect(states.map(({ pages, current }) => [pages.length, current === undefined])).toEqual([
    ...[0, 1, 2, 3, 4, 5].map((count) => [count, false]),
    [6, true],
  ])
})

test('it looks at every depth that the rule reaches, and no deeper', async () => {
  const below = (url: string) => ['a', 'b', 'c'].map((name) => `${url}${name}/`)
  const ask = (url: string) => reply(url, { page: below(url) })
  expect(addressesOf(await run(ask))).toEqual(['', 'b/', 'b/b/', 'b/a/', 'a/', 'a/b/'])
  expect(addressesOf(await run(ask, { changes: { depth: 1 } }))).toEqual(['', 'b/', 'a/', 'c/'])
  expect(addressesOf(await run(ask, { changes: { depth: 0 } }))).toEqual([''])
})

test('of a list of articles, two are read', async () => {
  const list = (url: string) => reply(url, url === start ? { document: ['1', '2', '3'].map(document) } : {})
  expect(addressesOf(await run(list, { changes: { target: ContentType.Article } }))).toEqual(['', '1', '2'])
  expect(addressesOf(await run(list))).toEqual([''])
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
  const states = await run(
    (url) => {
      controller.abort()
      return reply(url)
    },
    { signal: controller.signal },
  )
  expect(states).toEqual([{ pages: [], current: start }])
})

test('where nothing is found, the advice follows from what was read', () => {
  const tell = (found: Partial<TryReply>, changes: Partial<TriedRule> = {}) =>
    explainNothing({ ...rule, ...changes }, [{ url: start, reply: reply(start, found) }]).join()
  expect(tell({ reason: 'robots' })).toContain('没有一页能够读取')
  expect(tell({ skipped: 7 })).toContain('有 7 个链接被规则跳过')
  expect(tell({})).toContain('没有可以继续的链接')
  expect(tell({ page: [`${start}2`] })).toContain('更深的地方')
  expect(tell({})).toContain('“格式”')
  expect(tell({}, { target: ContentType.Article })).toContain('“文章的网址”')
})
