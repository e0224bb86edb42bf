import { randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { blankPage } from '../fallback-pages.ts'
import { addWatermark } from './watermark.ts'

const page = gzipSync(blankPage({ width: 595, height: 842 }))
const text = (svgz: Uint8Array) => gunzipSync(svgz).toString('utf8')

test('the text is drawn over the page, as part of the SVG', async () => {
  const svg = text(await addWatermark(page, '文豆 · 张三'))
  expect(svg.indexOf('文豆 · 张三')).toBeGreaterThan(svg.indexOf('本页无法显示'))
  expect(svg).toMatch(/<rect width="595" height="842" fill="url\(#wm-1\)"\/><\/svg>$/)
})

test('markup in a name is escaped', async () => {
  const svg = text(await addWatermark(page, `<script>alert(1)</script>&"'\u0000`))
  expect(svg).not.toContain('<script')
  expect(svg).toContain('&#60;script&#62;alert(1)&#60;/script&#62;&#38;&#34;&#39;')
})

test('no text, no watermark', async () => {
  expect(await addWatermark(page, '  ')).toBe(page)
})

test('a large page does not block the event loop', async () => {
  const large = gzipSync(Buffer.from(`<svg viewBox="0 0 595 842">${randomBytes(6e6).toString('hex')}</svg>`), {
    level: 1,
  })
  let ticks = 0
  const timer = setInterval(() => (ticks += 1), 1)
  await addWatermark(large, '文豆')
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(5)
})
