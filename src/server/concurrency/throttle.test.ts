import { DocumentStatus } from '#shared/document-status.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { client } from '#shared/client.ts'
import { documents } from '#shared/contract/documents.ts'
import { openDocumentSite } from '#server/testing/document-site.ts'
import { throttle } from './throttle.ts'
import type { Web } from '#server/http/pages/render.ts'

describe('an act that is wished for often', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('is done at once, then at most once in the time, and once more for the last wish', () => {
    const act = vi.fn()
    const wish = throttle(1000, act)
    wish()
    expect(act).toHaveBeenCalledTimes(1)
    for (let ms = 0; ms < 3500; ms += 100) {
      vi.advanceTimersByTime(100)
      wish()
    }
    expect(act).toHaveBeenCalledTimes(4)
    vi.advanceTimersByTime(1000)
    expect(act).toHaveBeenCalledTimes(5)
    vi.advanceTimersByTime(60_000)
    expect(act).toHaveBeenCalledTimes(5)
    wish()
    expect(act).toHaveBeenCalledTimes(6)
  })

  test('goes on after one that has failed', () => {
    const act = vi.fn(() => {
      throw new Error('no')
    })
    const wish = throttle(1000, act)
    expect(wish).toThrow('no')
    vi.advanceTimersByTime(1000)
    expect(wish).toThrow('no')
    expect(act).toHaveBeenCalledTimes(2)
  })
})

const endless = 'while documents change without end, pages are made once in a while, and what is withdrawn is gone soon'

test(endless, async () => {
  let made = 0
  const web: Web = {
    dev: false,
    async render(_request, { fetch }) {
      made += 1
      const api = client({ fetch, origin: 'http://localhost' })
      const { document } = await api(documents.list)
      const html = document.map(({ title }) => title).join()
      return new Response(html, { headers: { 'content-type': 'text/html' } })
    },
  }
  const site = await openDocumentSite({}, { web })
  const [id = 0] = await site.addDocuments({ title: '将被禁用' }, { title: '留下' })
  const { emit } = await site.app.context()
  const stream = setInterval(() => emit('document.changed', { ids: [] }), 5)
  try {
    const end = Date.now() + 1500
    let asked = 0
    for (; Date.now() < end; asked++) {
      await site.send('GET', '/')
      await sleep(10)
    }
    expect(made).toBeLessThan(Math.max(8, asked / 4))
    expect((await site.send('GET', '/')).text).toBe('留下,将被禁用')
    await site.root.call(documents.review, { id: [id], status: DocumentStatus.Disabled })
    await expect.poll(async () => (await site.send('GET', '/')).text).toBe('留下')
  } finally {
    clearInterval(stream)
    await site.close()
  }
})
