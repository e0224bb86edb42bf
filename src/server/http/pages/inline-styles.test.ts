import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inlineStyles } from './inline-styles.ts'

const folder = mkdtempSync(join(tmpdir(), 'wendou-styles-'))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'assets/root-1a2b.css'), 'a{color:red}b::after{content:"$&"}')
const inline = inlineStyles(folder)

test('a style sheet is in the page, and its link is disabled', () => {
  expect(inline('<head><link rel="stylesheet" href="/assets/root-1a2b.css"/></head>')).toBe(
    '<head><style>a{color:red}b::after{content:"$&"}</style><link rel="stylesheet" href="/assets/root-1a2b.css" disabled=""/></head>',
  )
})

test.each([
  '<link rel="stylesheet" href="/assets/gone-3c4d.css"/>',
  '<link rel="stylesheet" href="/assets/../../secret.css"/>',
  '<link rel="stylesheet" href="https://example.com/assets/root-1a2b.css"/>',
])('%s stays as it is', (link) => {
  expect(inline(link)).toBe(link)
})
