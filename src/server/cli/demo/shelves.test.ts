import { expect, test } from 'vitest'
import { documentKinds, kindOf } from '#shared/document-kinds.ts'
import { sniff } from '../../convert/sniff.ts'
import { placeFile } from '../../testing/folder.ts'
import { fileOf } from './files.ts'
import { demoCategories, demoDocuments, demoMembers } from './shelves.ts'

test('the list is sound: its shelves and authors exist, and every kind of document is there', () => {
  for (const {
    title,
    category: [root, child],
    author,
  } of demoDocuments) {
    expect(demoCategories[root]?.children, title).toContain(child)
    expect(
      demoMembers.map(({ username }) => username),
      title,
    ).toContain(author)
  }
  expect(new Set(demoDocuments.map(({ ext }) => kindOf(ext)))).toEqual(new Set(Object.keys(documentKinds)))
  expect(new Set(demoDocuments.map(({ title }) => title)).size).toBe(demoDocuments.length)
  const shelves = new Set(demoDocuments.map(({ category }) => category.join('/')))
  const roots = Object.entries(demoCategories)
  expect(shelves.size).toBe(roots.flatMap(([, { children }]) => children).length)
  expect(demoDocuments.length).toBeGreaterThan(35)
  expect(demoDocuments.filter(({ recommended }) => recommended).length).toBeGreaterThanOrEqual(12)
})

test.each(demoDocuments.map((document) => [document.title + document.ext, document] as const))(
  '%s is what its name says',
  async (name, document) => {
    const probe = sniff(placeFile(name, fileOf(document)))
    if (document.ext === '.azw3') await expect(probe).rejects.toMatchObject({ reason: 'unsupported' })
    else await expect(probe).resolves.toHaveProperty('content')
  },
)
