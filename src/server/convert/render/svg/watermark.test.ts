import { randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { blankPage } from '../plain-pages.ts'
import { watermarked } from './watermark.ts'

const page = gzipSync(blankPage({ width: 595, height: 842 }))
const text = (svgz: Uint8Array) => gunzipSync(svgz).toString('utf8')

test('the text lies over the page, inside the drawing', async () => {
  const svg = text(await watermarked(page, '文豆 · 张三'))
  expect(svg.indexOf('文豆 · 张三')).toBeGreaterThan(svg.indexOf('本页无法显示'))
  expect(svg).toMatch(/<rect width="595" height="842" fill="url\(#wm-1\)"\/><\/svg>$/)
})

test('a name with markup stays a name', async () => {
  const svg = text(await watermarked(page, `<script>alert(1)</script>&"'\u0000`))
  expect(svg).not.toContain('<script')
  expect(svg).toContain('&#60;script&#62;alert(1)&#60;/script&#62;&#38;&#34;&#39;')
})

test('no text, no watermark', async () => {
  expect(await watermarked(page, '  ')).toBe(page)
})

test('others are answered while a large page gets its watermark', async () => {
  const large = gzipSync(Buffer.from(`<svg viewBox="0 0 595 842">${randomBytes(6e6).toString('hex')}</svg>`), {
    level: 1,
  })
  let answered = 0
  const others = setInterval(() => (answered += 1), 1)
  await watermarked(large, '文豆')
  clearInterval(others)
  expect(answered).toBeGreaterThan(5)
})
