import { expect, test } from 'vitest'
import type { ReflowedPage } from '#shared/reflow.ts'
import { createPageGroups, groupsToRelease, type PageGroup } from '#web/features/documents/reader/reflow/page-groups.ts'

const page = (number: number): ReflowedPage => ({ page: number, blocks: [] })

test('a group is asked for once, and again after a failure', async () => {
  const asked: string[] = []
  const answers: (ReflowedPage[] | undefined)[] = [undefined, [page(1)]]
  const groups = createPageGroups(async (address) => {
    asked.push(address)
    return answers.shift()
  })
  const load = () => groups.load({ first: 1, last: 1, address: '/1.json' })
  await Promise.all([load(), load()])
  expect(groups.get().get(1)?.state).toBe('failed')
  await load()
  await load()
  expect(groups.get().get(1)).toMatchObject({ state: 'loaded', pages: [{ page: 1 }] })
  expect(asked).toHaveLength(2)
})

test('a group that is being loaded is asked for again at its new address, and the old answer is ignored', async () => {
  const expired = Promise.withResolvers<ReflowedPage[] | undefined>()
  const groups = createPageGroups((address) => (address === '/old' ? expired.promise : Promise.resolve([page(1)])))
  const old = groups.load({ first: 1, last: 1, address: '/old' })
  await groups.load({ first: 1, last: 1, address: '/new' })
  expired.resolve(undefined)
  await old
  expect(groups.get().get(1)).toMatchObject({ state: 'loaded', pages: [{ page: 1 }] })
})

test('what is shown stays while the preview grows', async () => {
  const answers = [Promise.resolve([page(1)]), new Promise<ReflowedPage[]>(() => {})]
  const groups = createPageGroups(() => answers.shift() ?? Promise.resolve(undefined))
  await groups.load({ first: 1, last: 1, address: '' })
  void groups.load({ first: 1, last: 2, address: '' })
  expect(groups.get().get(1)).toMatchObject({ state: 'loading', last: 2, pages: [{ page: 1 }] })
})

test('a released group keeps its height until the text is set in another size, and is loaded again', async () => {
  const groups = createPageGroups(async () => [page(1)])
  await groups.load({ first: 1, last: 1, address: '' })
  groups.release(1, 800)
  expect(groups.get().get(1)).toMatchObject({ state: 'released', pages: [], height: 800 })
  groups.setTypography({ size: 20 })
  expect(groups.get().get(1)?.height).toBe(0)
  await groups.load({ first: 1, last: 1, address: '' })
  expect(groups.get().get(1)?.state).toBe('loaded')
})

test('the groups furthest from the reader are released', () => {
  const loaded: PageGroup = { last: 0, address: '', state: 'loaded', pages: [], height: 0 }
  const groups = new Map(Array.from({ length: 14 }, (_, index) => [index * 10 + 1, loaded]))
  expect(groupsToRelease(groups, 131)).toEqual([11, 1])
  expect(groupsToRelease(new Map([[1, loaded]]), 131)).toEqual([])
})
