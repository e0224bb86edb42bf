import { expect, test } from 'vitest'
import { documentKinds, getDocumentKind } from '#shared/document-kinds.ts'
import { sniff } from '../../convert/sniff.ts'
import { writeTempFile } from '../../testing/folder.ts'
import { makeFile } from './files.ts'
import { demoCategories, demoDocuments, demoMembers } from './documents.ts'

test('the categories and authors exist, and there is every kind of document', () => {
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
  expect(new Set(demoDocuments.map(({ ext }) => getDocumentKind(ext)))).toEqual(new Set(Object.keys(documentKinds)))
  expect(new Set(demoDocuments.map(({ title }) => title)).size).toBe(demoDocuments.length)
  const paths = new Set(demoDocuments.map(({ category }) => category.join('/')))
  const roots = Object.entries(demoCategories)
  expect(paths.size).toBe(roots.flatMap(([, { children }]) => children).length)
  expect(demoDocuments.length).toBeGreaterThan(35)
  expect(demoDocuments.filter(({ recommended }) => recommended).length).toBeGreaterThanOrEqual(12)
})

test.each(demoDocuments.map((document) => [document.title + document.ext, document] as const))(
  '%s has the format of its extension',
  async (name, document) => {
    const probe = sniff(writeTempFile(name, makeFile(document)))
    if (document.ext === '.azw3') await expect(probe).rejects.toMatchObject({ reason: 'unsupported' })
    else await expect(probe).resolves.toHaveProperty('format')
  },
)
