import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { demoDocuments } from '#server/cli/demo/documents.ts'
import { pickChapters } from '#server/cli/demo/prose.ts'
import { testFilters } from '#server/fulltext/filters.suite.ts'
import type { FulltextIndex } from '#server/fulltext/fulltext.ts'
import { openFulltext } from '#server/fulltext/open.ts'
import { copyDatabase, type TestDatabase } from '#server/testing/databases/database.ts'
import { generateLibrary, type LibraryDocument } from './library.ts'
import { listQuestions, type QuestionClass } from './questions.ts'

const { engine } = inject('database')
const visibility = testFilters(engine).all
const questions = listQuestions()
let database: TestDatabase
let index: FulltextIndex
const dataDir = mkdtempSync(join(tmpdir(), 'wendou-questions-'))
const titles = new Map<number, string>()

beforeAll(async () => {
  database = await copyDatabase()
  index = await openFulltext({ databaseUrl: database.url, dataDir, onEmptied: () => {} })
  const library = [...demoLibrary(), ...generateLibrary()]
  await Promise.all(
    library.map(async ({ title, pages }, at) => {
      const entry = { kind: 'document', id: at + 1, version: '1' } as const
      titles.set(entry.id, title)
      await index.putMetadata({ ...entry, title, keywords: '', description: '', quality: 0 })
      await index.putPages({ ...entry, pages: pages.map((text, page) => ({ page: page + 1, text })) })
    }),
  )
})

afterAll(async () => {
  await index.close()
  await database.remove()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The demo content as the index gets it. */
function demoLibrary(): LibraryDocument[] {
  return demoDocuments.map(({ title, about, chapters, description }) => ({
    title,
    pages:
      typeof about === 'string'
        ? [description]
        : pickChapters(about, chapters).map((chapter) => [chapter.title, ...chapter.paragraphs].join('\n')),
  }))
}

async function isAnswered({ typed, title }: { typed: string; title: string }, fallback: boolean): Promise<boolean> {
  const query = { kind: 'document', words: typed, visibility, offset: 0, limit: 5, maxTotal: 1000 } as const
  const { hits } = await index.search({ ...query, regional: fallback, fallback })
  return hits.some(({ id }) => titles.get(id) === title)
}

/** Of each class of questions so many must be answered. */
const minSuccess: Record<QuestionClass, number> = {
  words: 0.9,
  typos: 0.9,
  pinyin: 0.9,
  initials: 0.85,
  sentences: 0.9,
  mixed: 0.9,
  regional: 0.9,
  english: 0.85,
  numbers: 0.9,
  bodies: 0.85,
}

/** So many were answered before there was a fallback. */
const minAnsweredAsTyped = 49

describe('two hundred questions', () => {
  const failures: typeof questions = []
  const lost: string[] = []
  let answeredAsTyped = 0

  beforeAll(async () => {
    for (const question of questions) {
      const answered = await isAnswered(question, true)
      if (!answered) failures.push(question)
      // Without a fallback only entries with all words as typed are results.
      if (!(await isAnswered(question, false))) continue
      answeredAsTyped++
      if (!answered) lost.push(question.typed)
    }
  })

  test('are asked of a library that has every expected title', () => {
    expect(questions.length).toBeGreaterThanOrEqual(200)
    const known = new Set(titles.values())
    expect(questions.filter(({ title }) => !known.has(title))).toEqual([])
  })

  test('are answered among the first five, nine out of ten', () => {
    expect(failures.length / questions.length, JSON.stringify(failures)).toBeLessThanOrEqual(0.1)
  })

  test.each(Object.entries(minSuccess))('of the class %s', (kind, min) => {
    const asked = questions.filter((question) => question.kind === kind)
    const failed = failures.filter((question) => question.kind === kind)
    expect(1 - failed.length / asked.length, JSON.stringify(failed)).toBeGreaterThanOrEqual(min)
  })

  test('that all words as typed answer are still answered', () => {
    expect(lost).toEqual([])
    expect(answeredAsTyped).toBeGreaterThanOrEqual(minAnsweredAsTyped)
  })
})
