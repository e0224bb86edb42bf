import { expect, test } from 'vitest'
import { rewriteSvg } from './rewrite.ts'

function rewritten(body: string): string {
  const svg = Buffer.from(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg">${body}</svg>`)
  const options = { width: 100, height: 200, shortGlyphs: new Map(), replaceImage: () => '' }
  return rewriteSvg(svg, options).toString()
}

/** The content of the page, without its root and background. */
function content(body: string): string {
  return rewritten(body)
    .replace(/^<svg [^>]*><path fill="#fff" [^>]*\/>/, '')
    .replace(/<\/svg>$/, '')
}

test('a page has its size, a white background and no more of an untrusted drawing than is allowed', () => {
  expect(rewritten('<script>alert(1)</script><path d="M0 0H5" onclick="alert(1)"/>')).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="200" viewBox="0 0 100 200">' +
      '<path fill="#fff" d="M0 0h100v200H0z"/><path d="m0 0h5"/></svg>',
  )
})

test('path data that are no path become nothing', () => {
  expect(content('<path d="javascript:alert(1)"/>')).toBe('<path d=""/>')
})

test('glyphs of one size and colour share a group, with positions in whole units', () => {
  const glyph = (id: string, x: number, y: number) =>
    `<use data-text="&#x8f6f;" xlink:href="#${id}" transform="matrix(10,0,0,-10,${x},${y})"/>`
  const drawing = content(
    `<defs><path id="font_1_2" d="M0 0H.5V.25Z"/><path id="font_1_3" d=""/></defs>` +
      glyph('font_1_2', 20, 50) +
      glyph('font_1_3', 25, 50) +
      glyph('font_1_2', 30, 50) +
      glyph('font_1_2', 20, 70),
  )
  expect(drawing).toBe(
    '<defs><path id="a" d="m0 0h500v250z"/></defs>' +
      '<g transform="matrix(.01 0 0 -.01 20 50)"><use href="#a"/><use href="#a" x="1000"/><use href="#a" y="-2000"/></g>',
  )
})

test('glyphs of a clip path stand alone, since it must not contain groups', () => {
  const drawing = content(
    '<defs><path id="font_1_2" d="M0 0H.5V.25Z"/></defs><clipPath id="clip_1">' +
      '<use xlink:href="#font_1_2" transform="matrix(10,0,0,-10,20,50)"/></clipPath>' +
      '<g clip-path="url(#clip_1)"><path d="M0 0H100V100Z" fill="#ff0000"/></g>',
  )
  expect(drawing).toBe(
    '<defs><path id="a" d="m0 0h500v250z"/></defs><clipPath id="b"><use href="#a" transform="matrix(.01 0 0 -.01 20 50)"/>' +
      '</clipPath><g clip-path="url(#b)"><path fill="#f00" d="m0 0h100v100z"/></g>',
  )
})

test('a stroked glyph keeps the width of its stroke', () => {
  const drawing = content(
    '<defs><path id="font_1_2" d="M0 0H.5V.25Z"/></defs>' +
      '<use xlink:href="#font_1_2" transform="matrix(10,0,0,-10,20,50)" fill="none" stroke="#000000" stroke-width=".05"/>',
  )
  expect(drawing).toContain('stroke-width="50"')
})

test('paths are exact to a hundredth of a point, whatever their own scale', () => {
  expect(content('<path transform="matrix(100,0,0,100,0,0)" d="M.12345 0H1"/>')).toContain('d="m.1235 0h.8765"')
  expect(content('<path d="M.12345 0H1"/>')).toContain('d="m.12 0h.88"')
})

test('black is left out only where no other colour is inherited', () => {
  expect(content('<path fill="#000000" d="M0 0H1"/>')).toBe('<path d="m0 0h1"/>')
  expect(content('<g fill="#ff0000"><path fill="#000000" d="M0 0H1"/></g>')).toContain('<path fill="#000" d')
})

test('groups without attributes and default values are left out', () => {
  expect(content('<g><path stroke-linecap="butt" stroke-linejoin="miter" opacity="0.50" d="M0 0H1"/></g>')).toBe(
    '<path opacity=".5" d="m0 0h1"/>',
  )
})

test('blending is kept', () => {
  expect(content('<g style="mix-blend-mode:multiply;isolation:isolate"><path d="M0 0H1"/></g>')).toContain(
    '<g style="mix-blend-mode:multiply;isolation:isolate">',
  )
})
