import { expect, test } from 'vitest'
import { minify, TooComplex } from './minify.ts'

const size = { width: 100, height: 200 }

function minified(body: string): string {
  const svg = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${body}</svg>`
  const replaceImage = () => 'data:image/jpeg;base64,AAAA'
  return minify(Buffer.from(svg), { ...size, glyphs: new Map(), replaceImage }).toString()
}

/** What stands inside the page, without the page itself and its white paper. */
function content(body: string): string {
  const svg = minified(body)
  expectWellFormed(svg)
  return svg.replace(/^<svg [^>]*><path fill="#fff" [^>]*\/>/, '').replace(/<\/svg>$/, '')
}

function expectWellFormed(svg: string): void {
  const open: string[] = []
  const rest = svg.replace(/<(\/?)([\w]+)((?: [\w:-]+="[^"<>&]*")*)(\/?)>/g, (_, closing, name: string, __, empty) => {
    if (closing) expect(open.pop()).toBe(name)
    else if (!empty) open.push(name)
    return ''
  })
  expect(open).toEqual([])
  expect(rest).toBe('')
}

test('nothing that runs, links or loads gets through', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '<script href="https://evil.example/x.js"/>',
    '<a href="javascript:alert(1)"><path d="M0 0H1"/></a>',
    '<foreignObject><iframe src="https://evil.example"/></foreignObject>',
    '<path d="M0 0H5" onclick="alert(1)" onload="alert(1)"/>',
    '<image href="https://evil.example/x.png"/>',
    '<image xlink:href="file:///etc/passwd"/>',
    '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>',
    '<image href="data:text/html;base64,PHN2Zy8+"/>',
    '<use href="https://evil.example/x.svg#a"/>',
    '<use xlink:href="data:image/svg+xml,x#a"/>',
    '<path fill="url(https://evil.example/#a)" d="M0 0H5"/>',
    '<g style="background:url(https://evil.example);fill:url(//evil.example)"><path d="M0 0H5"/></g>',
    '<style>@import "https://evil.example"</style>',
    '<animate attributeName="href" to="javascript:alert(1)"/>',
    '<set attributeName="onload" to="alert(1)"/>',
    '<text>文字 alert(1)</text>',
    '<filter id="f"><feImage href="https://evil.example/x.png"/></filter>',
    '<?xml-stylesheet href="https://evil.example"?>',
    '<!ENTITY x SYSTEM "file:///etc/passwd">',
    '<![CDATA[<script>alert(1)</script>]]>',
    '<!-- <script>alert(1)</script> -->',
    "<path d='M0 0H5' fill='&quot;><script>alert(1)</script>'/>",
  ].join('')
  const svg = minified(hostile)
  expectWellFormed(svg)
  expect(svg).not.toMatch(/script|alert|evil|file:|onload|onclick|foreign|iframe|animate|text|style|feImage|passwd/i)
  expect(svg).not.toMatch(/href="(?!#)/)
})

test('whatever is wrong with the markup, the page is well formed', () => {
  for (const broken of [
    '<g><g fill="#f00"><path d="M0 0H5"/></g>',
    '</g></g><path d="M0 0H5"/>',
    '<g fill="#f00"><clipPath></g></clipPath>',
    '<path d="M0 0H5" fill="<"/>',
    '<g fill="#f00',
    '<',
    '<path d=M0 fill=red/>',
    '<unknown><g><path d="M0 0H5"/></unknown>',
  ])
    content(broken)
})

test('glyphs of one size and colour stand in one group, in whole thousandths of an em', () => {
  const glyph = (id: string, x: number, y: number) =>
    `<use data-text="&#x8f6f;" xlink:href="#${id}" transform="matrix(10,0,0,-10,${x},${y})"/>`
  const drawn = content(
    `<defs><path id="font_1_2" d="M0 0H.5V.25Z"/><path id="font_1_3" d=""/></defs>` +
      glyph('font_1_2', 20, 50) +
      glyph('font_1_3', 25, 50) +
      glyph('font_1_2', 30, 50) +
      glyph('font_1_2', 20, 70),
  )
  expect(drawn).toBe(
    '<defs><path id="a" d="m0 0h500v250z"/></defs>' +
      '<g transform="matrix(.01 0 0 -.01 20 50)"><use href="#a"/><use href="#a" x="1000"/><use href="#a" y="-2000"/></g>',
  )
})

test('glyphs that clip stand alone, since a clip takes no groups', () => {
  const drawn = content(
    '<defs><path id="font_1_2" d="M0 0H.5V.25Z"/></defs><clipPath id="clip_1">' +
      '<use xlink:href="#font_1_2" transform="matrix(10,0,0,-10,20,50)"/></clipPath>' +
      '<g clip-path="url(#clip_1)"><path d="M0 0H100V100Z" fill="#ff0000"/></g>',
  )
  expect(drawn).toBe(
    '<defs><path id="a" d="m0 0h500v250z"/></defs><clipPath id="b"><use href="#a" transform="matrix(.01 0 0 -.01 20 50)"/>' +
      '</clipPath><g clip-path="url(#b)"><path fill="#f00" d="m0 0h100v100z"/></g>',
  )
})

test('a stroked glyph keeps the width of its stroke', () => {
  const drawn = content(
    '<defs><path id="font_1_2" d="M0 0H.5V.25Z"/></defs>' +
      '<use xlink:href="#font_1_2" transform="matrix(10,0,0,-10,20,50)" fill="none" stroke="#000000" stroke-width=".05"/>',
  )
  expect(drawn).toContain('stroke-width="50"')
})

test('paths are exact to a hundredth of a point, whatever their own scale', () => {
  expect(content('<path transform="matrix(100,0,0,100,0,0)" d="M.12345 0H1"/>')).toContain('d="m.1235 0h.8765"')
  expect(content('<path d="M.12345 0H1"/>')).toContain('d="m.12 0h.88"')
})

test('black is left out only where nothing else would be inherited', () => {
  expect(content('<path fill="#000000" d="M0 0H1"/>')).toBe('<path d="m0 0h1"/>')
  expect(content('<g fill="#ff0000"><path fill="#000000" d="M0 0H1"/></g>')).toContain('<path fill="#000" d')
})

test('blending survives, other styles become attributes', () => {
  expect(content('<g style="mix-blend-mode:multiply;isolation:isolate"><path d="M0 0H1"/></g>')).toContain(
    '<g style="mix-blend-mode:multiply;isolation:isolate">',
  )
  expect(content('<path style="fill:rgb(0%,50%,0%);stroke:none;cursor:url(x)" d="M0 0H1"/>')).toBe(
    '<path fill="rgb(0%,50%,0%)" stroke="none" d="m0 0h1"/>',
  )
})

test('an image in printing inks is replaced, one in screen colours is kept', () => {
  const jpeg = (components: number) =>
    Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 20, 8, 0, 16, 0, 16, components, 0, 0, 0, 0, 0, 0, 0, 0]).toString('base64')
  expect(content(`<image width="16" height="16" xlink:href="data:image/jpeg;base64,${jpeg(4)}"/>`)).toContain(
    'href="data:image/jpeg;base64,AAAA"',
  )
  expect(content(`<image width="16" height="16" xlink:href="data:image/jpeg;base64,${jpeg(3)}"/>`)).toContain(jpeg(3))
})

test('a page deeper than browsers read is refused, so that a picture is taken of it', () => {
  expect(() => minified('<g fill="#f00">'.repeat(500))).toThrow(TooComplex)
})
