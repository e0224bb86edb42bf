import { expect, test } from 'vitest'
import type { Ctx } from '#server/context.ts'
import { wantedExts } from './crawl-source.ts'

const exts = (ext: string[], allowed: string[] = []) =>
  wantedExts({ settings: { security: { document_allowed_ext: allowed } } } as unknown as Ctx, { ext })

test('Markdown is collected for rules that name it, and for no others', () => {
  expect(exts([])).toEqual(expect.arrayContaining(['.pdf', '.docx', '.txt', '.epub']))
  expect(exts([])).not.toContain('.md')
  expect(exts([], ['md', 'pdf'])).toEqual(['.pdf'])
  expect(exts(['MD', '.markdown'])).toEqual(['.md', '.markdown'])
  expect(exts(['md'], ['pdf'])).toEqual([])
})
