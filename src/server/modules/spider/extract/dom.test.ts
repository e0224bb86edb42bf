import { expect, test } from 'vitest'
import { elementsOf, readPage } from './dom.ts'

const read = (html: string) =>
  readPage({ url: 'https://www.example.com/a/b', contentType: 'text/html', body: Buffer.from(html) })
const names = (html: string) => [...elementsOf(read(html).document)].map(({ name }) => name)

test('elements come in the order of the document', () => {
  expect(names('<div><p>1<b>2</b></p><i>3</i></div><p>4')).toEqual(['div', 'p', 'b', 'i', 'p'])
  const [div] = elementsOf(read('<div><p>1</p></div><p>2').document)
  expect(div && [...elementsOf(div)].map(({ name }) => name)).toEqual(['p'])
  expect(names('')).toEqual([])
})

test('the base is the first that has an address', () => {
  expect(read('<base target=x><base href="c/"><base href="/d/">').base).toBe('https://www.example.com/a/c/')
  expect(read('<p>').base).toBe('https://www.example.com/a/b')
})

test('elements that are too deep become siblings', () => {
  const { document, truncated } = read(`${'<b>'.repeat(1_000)}<u>x</u>${'</b>'.repeat(1_000)}<i>y</i>`)
  const found = [...elementsOf(document)]
  const depthOf = (name: string) => {
    let depth = 0
    for (let node = found.find((element) => element.name === name)?.parent; node; node = node.parent) depth += 1
    return depth
  }
  expect(truncated).toBe(false)
  expect(found).toHaveLength(1_002)
  expect(depthOf('u')).toBe(513)
  expect(depthOf('i')).toBe(1)
})

test('an element keeps 64 attributes of 4,000 characters', () => {
  const attributes = Array.from({ length: 100 }, (_, index) => `a${index}=${'x'.repeat(5_000)}`).join(' ')
  const [element] = elementsOf(read(`<p ${attributes}>`).document)
  expect(Object.keys(element?.attribs ?? {})).toHaveLength(64)
  expect(element?.attribs.a0).toHaveLength(4_000)
})
