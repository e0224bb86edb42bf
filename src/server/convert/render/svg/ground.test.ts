import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { blankPage, imagePage } from '../fallback-pages.ts'
import { changeGround, rewriteColors } from './ground.ts'

const start = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><path fill="#fff" d="M0 0h100v100H0z"/>'
const page = (content: string) => `${start}${content}</svg>`

test('at night paper is dark, and text without a colour is light', () => {
  const svg = rewriteColors(page('<path d="M1 1h2z"/>'), 'night')
  expect(svg).toContain('<path fill="#181b1a" d="M0 0h100v100H0z"/>')
  expect(svg).toMatch(/^<svg fill="#dee2e0"/)
})

test('on sepia white becomes paper and black becomes ink', () => {
  const svg = rewriteColors(page('<path fill="#000000" d="M1 1h2z"/><path stroke="rgb(100%, 100%, 100%)"/>'), 'sepia')
  expect(svg).toContain('<path fill="#3b2f22" d="M1 1h2z"/><path stroke="#f5ecd9"/>')
})

test('at night a colour keeps its hue: red stays the strongest channel of red', () => {
  const [, color = ''] = /stroke="#(\w{6})"/.exec(rewriteColors(page('<path stroke="#c00"/>'), 'night')) ?? []
  const [red = 0, green = 0, blue = 0] = (color.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
  expect(red).toBeGreaterThan(green + 50)
  expect(red).toBeGreaterThan(blue + 50)
})

test('a picture keeps its colours; one that fills the page is mapped, wherever its size comes from', () => {
  const picture = '<image width="40" height="30" href="data:image/png;base64,AAAA"/>'
  expect(rewriteColors(page(picture), 'night')).toContain(picture)
  const scan = rewriteColors(page(`<g transform="matrix(2.5 0 0 3 0 0)">${picture}</g>${picture}`), 'night')
  expect(scan.match(/<image filter="url\(#ground-1\)" width="40"/g)).toHaveLength(1)
  expect(scan).toContain(`</g>${picture}`)
})

test('a mask keeps its brightness', () => {
  const mask = '<mask id="a"><path fill="#fff" d="M0 0h9z"/><path d="M0 0h9z"/></mask>'
  const svg = rewriteColors(page(`${mask}<path fill="#fff" d="M5 5h9z"/>`), 'night')
  expect(svg).toContain('<mask fill="#000" id="a"><path fill="#fff" d="M0 0h9z"/><path d="M0 0h9z"/></mask>')
  expect(svg).toContain('<path fill="#181b1a" d="M5 5h9z"/>')
})

test('a highlighter, which darkens on white, lightens at night', () => {
  const marker = '<path fill="#ff0" style="mix-blend-mode:multiply"/>'
  expect(rewriteColors(page(marker), 'night')).toContain('mix-blend-mode:screen')
  expect(rewriteColors(page(marker), 'sepia')).toContain('mix-blend-mode:multiply')
})

test('gradients are mapped, references to them stay', () => {
  const svg = rewriteColors(page('<stop stop-color="#fff"/><path fill="url(#b)"/><path fill="none"/>'), 'night')
  expect(svg).toContain('<stop stop-color="#181b1a"/><path fill="url(#b)"/><path fill="none"/>')
})

test('the variant is a complete page, compressed', async () => {
  const svg = gunzipSync(await changeGround(gzipSync(blankPage({ width: 595, height: 842 })), 'sepia')).toString()
  expect(svg).toContain('本页无法显示')
  expect(svg).toMatch(/^<svg .*<\/svg>$/s)
})

test('a page that is one picture of paper has the filter', () => {
  const scan = imagePage({ width: 595, height: 842 }, new Uint8Array([1]))
  expect(rewriteColors(scan, 'night')).toContain('<image filter="url(#ground-1)"')
})

test('a photograph keeps its colours, small or large, and what stands on one keeps its own at night', () => {
  const photo = (width: number) =>
    `<image width="${width}" height="${width}" data-photo="" href="data:image/png;base64,AAAA"/>`
  for (const width of [20, 75, 100])
    expect(rewriteColors(page(photo(width)), 'sepia'), `${width}`).toContain(photo(width))
  const beside = rewriteColors(page(`${photo(75)}<path fill="#000"/>`), 'night')
  expect(beside).toContain(`${photo(75)}<path fill="#dee2e0"/>`)
  const slide = page(`${photo(100)}<path fill="#000"/>`)
  expect(rewriteColors(slide, 'night')).toBe(slide)
})

test('a long page, by its pictures or by its drawings, is mapped as every other', async () => {
  const picture = `<image width="20" height="20" data-photo="" href="data:image/png;base64,${'A'.repeat(400_000)}"/>`
  const drawing = '<path fill="#000000" d="M1 1h2z"/>'.repeat(12_000)
  const svg = gunzipSync(await changeGround(gzipSync(page(picture + drawing)), 'sepia')).toString()
  expect(svg).toContain(picture)
  expect(svg).not.toContain('<g filter')
  expect(svg.match(/fill="#3b2f22" d="M1 1h2z"/g)).toHaveLength(12_000)
})
