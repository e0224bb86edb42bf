import { expect, test } from 'vitest'
import { TooComplex } from '../../failures.ts'
import { sanitizeSvg } from './sanitize.ts'

/** Writes what the sanitizer lets through, as it is. */
function sanitized(body: string): string {
  const svg = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${body}</svg>`
  const open: string[] = []
  let out = ''
  sanitizeSvg(Buffer.from(svg), () => 'data:image/jpeg;base64,AAAA', {
    element(element) {
      const values = element.attributes().map(({ name, kind, value }) => [name, kind === 'link' ? `#${value}` : value])
      const attributes = values.map(([name, value]) => ` ${name}="${value}"`).join('')
      out += `<${element.name}${attributes}${element.isEmpty ? '/' : ''}>`
      if (!element.isEmpty) open.push(element.name)
    },
    close() {
      out += `</${open.pop()}>`
    },
    end() {
      expect(open).toEqual([])
    },
  })
  expectWellFormed(out)
  return out
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
    '<path d="M0 0H5"><animate attributeName="href" to="javascript:alert(1)"/></path>',
    '<linearGradient id="g" href="https://evil.example/#g"/>',
    '<g transform="matrix(1 0 0 1 0 0)url(https://evil.example)"/>',
    '<g id="a&quot; onload=&quot;alert(1)" clip-path="url(#a) url(https://evil.example)"/>',
  ].join('')
  const svg = sanitized(hostile)
  expect(svg).not.toMatch(/script|alert|evil|file:|onload|onclick|foreign|iframe|animate|text|style|feImage|passwd/i)
  expect(svg).not.toMatch(/href="(?!#)/)
})

test.each([
  '<g><g fill="#f00"><path d="M0 0H5"/></g>',
  '</g></g><path d="M0 0H5"/>',
  '<g fill="#f00"><clipPath></g></clipPath>',
  '<path d="M0 0H5" fill="<"/>',
  '<g fill="#f00',
  '<',
  '<path d=M0 fill=red/>',
  '<unknown><g><path d="M0 0H5"/></unknown>',
  '<g fill="#f00" fill="#0f0" style="fill:#00f" id="a" id="b"/>',
  '<use xlink:href="#a" href="#b"/>',
])('what comes out of %s is well-formed', (broken) => {
  sanitized(broken)
})

test('of attributes with the same name the first counts', () => {
  expect(sanitized('<g fill="#f00" fill="#0f0" style="fill:#00f"/>')).toBe('<g fill="#f00"/>')
})

test('allowed styles become attributes, blending stays a style', () => {
  expect(sanitized('<g style="fill:rgb(0%,50%,0%);stroke:none;cursor:url(x);mix-blend-mode:multiply"/>')).toBe(
    '<g fill="rgb(0%,50%,0%)" stroke="none" style="mix-blend-mode:multiply"/>',
  )
})

test('references point into the page', () => {
  expect(sanitized('<use xlink:href="#a"/><linearGradient href="#b"/><g clip-path="url(#c)"/>')).toBe(
    '<use href="#a"/><linearGradient href="#b"/><g clip-path="url(#c)"/>',
  )
})

test('a CMYK image is replaced, an RGB image is kept', () => {
  const jpeg = (components: number) =>
    Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 20, 8, 0, 16, 0, 16, components, 0, 0, 0, 0, 0, 0, 0, 0]).toString('base64')
  expect(sanitized(`<image xlink:href="data:image/jpeg;base64,${jpeg(4)}"/>`)).toBe(
    '<image href="data:image/jpeg;base64,AAAA"/>',
  )
  expect(sanitized(`<image xlink:href="data:image/jpeg;base64,${jpeg(3)}"/>`)).toContain(jpeg(3))
})

test('a page nested more deeply than browsers support is refused, so that it becomes an image', () => {
  expect(() => sanitized('<g fill="#f00">'.repeat(500))).toThrow(TooComplex)
})

/** Balanced tags with quoted attributes, each name once, and nothing else. */
function expectWellFormed(svg: string): void {
  const open: string[] = []
  const rest = svg.replace(tag, (_, closing: string, name: string, attributes: string, empty: string) => {
    const names = attributes.match(/(?<= )[\w:-]+(?==)/g) ?? []
    expect(new Set(names).size).toBe(names.length)
    if (closing) expect(open.pop()).toBe(name)
    else if (!empty) open.push(name)
    return ''
  })
  expect(open).toEqual([])
  expect(rest).toBe('')
}

const tag = /<(\/?)([\w]+)((?: [\w:-]+="[^"<>&]*")*)(\/?)>/g
