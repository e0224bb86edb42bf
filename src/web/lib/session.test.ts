import { afterEach, expect, test, vi } from 'vitest'
import { personalCopies } from '#web/lib/browser/storage.ts'
import { anonymous, clearSession, endSession, updateSession } from '#web/lib/session.ts'

afterEach(() => {
  clearSession()
  vi.unstubAllGlobals()
})

const member = { ...anonymous, token: 'first', user: { ...anonymous.user, id: 7 } }

test.each<[name: string, end: () => void]>([
  ['the server has ended it', () => endSession('first')],
  ['another account logs in', () => updateSession({ ...member, token: 'second' })],
])('what the service worker keeps of a session is deleted when %s', (_name, end) => {
  updateSession(member)
  const deleted: string[] = []
  vi.stubGlobal('caches', { delete: async (name: string) => deleted.push(name) })
  updateSession({ user: { ...member.user, username: '新名字' } })
  endSession('an older one')
  expect(deleted).toEqual([])
  end()
  expect(deleted).toEqual(personalCopies)
})
