import { expect, test, vi } from 'vitest'
import type { Content } from '#web/features/editor/drafts/draft.ts'
import { type RemoteRef, remoteDraft } from '#web/features/editor/drafts/remote-draft.ts'

const blank = { title: '', content: '', keywords: '', description: '', category_id: '', identifier: '', cover: '' }
const text = (title: string): Content => ({ ...blank, title })

/** A server that answers when told. */
function slowServer() {
  const requests: { title: string; known: RemoteRef; answer: (saved: RemoteRef) => void; fail: () => void }[] = []
  const send = ({ title }: Content, known: RemoteRef) =>
    new Promise<RemoteRef>((resolve, reject) => {
      requests.push({ title, known, answer: resolve, fail: () => reject(new Error('断网')) })
    })
  return { requests, send }
}

function open() {
  const { requests, send } = slowServer()
  const [onSaved, onFailed] = [vi.fn(), vi.fn()]
  return { requests, onSaved, onFailed, draft: remoteDraft({ send, onSaved, onFailed }) }
}

test('one request at a time: of what is written meanwhile only the latest is sent, to the same draft', async () => {
  const { requests, draft, onSaved } = open()
  for (const title of ['一', '二', '三']) draft.save(text(title))
  expect(requests.map(({ title }) => title)).toEqual(['一'])
  requests[0]?.answer({ id: 7, updated_at: 1 })
  await vi.waitFor(() => expect(requests).toHaveLength(2))
  expect(requests[1]).toMatchObject({ title: '三', known: { id: 7, updated_at: 1 } })
  requests[1]?.answer({ id: 7, updated_at: 2 })
  expect(await draft.settle()).toBe(7)
  expect(onSaved.mock.calls).toEqual([
    [text('一'), false],
    [text('三'), false],
  ])
})

test('a draft that another window has changed goes on under another id', async () => {
  const { requests, draft, onSaved } = open()
  draft.adopt({ id: 7, updated_at: 1 })
  draft.save(text('右'))
  requests[0]?.answer({ id: 8, updated_at: 5 })
  expect(await draft.settle()).toBe(8)
  expect(onSaved).toHaveBeenCalledWith(text('右'), true)
})

test('a failure is told, and the next save sends again', async () => {
  const { requests, draft, onFailed } = open()
  draft.save(text('一'))
  requests[0]?.fail()
  await vi.waitFor(() => expect(onFailed).toHaveBeenCalledOnce())
  await draft.settle()
  draft.save(text('二'))
  expect(requests[1]).toMatchObject({ title: '二', known: { id: 0 } })
})

test('the reply for a former draft does not concern the one that was opened since', async () => {
  const { requests, draft, onSaved } = open()
  draft.save(text('旧'))
  draft.adopt({ id: 3, updated_at: 1 })
  requests[0]?.answer({ id: 9, updated_at: 1 })
  expect(await draft.settle()).toBe(3)
  expect(onSaved).not.toHaveBeenCalled()
})
