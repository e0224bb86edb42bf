import { allowedElements, isAllowedValue, parseStyle, type ValueKind, valueKind } from './allowlist.ts'
import { imageUrl, type ReplaceImage } from './images.ts'
import { identity, type Matrix, readMatrix } from '../matrix.ts'
import type { Tag } from './tags.ts'

/** An attribute that may be written as it is: its value contains no markup and no address outside of the page. */
export interface SafeAttribute {
  name: string
  /** `id` and `link` have an id as their value, `image` a data URL. */
  kind: ValueKind | 'style' | 'id' | 'link' | 'image'
  value: string
}

/** An allowed element of a page; the same object is used again for the next one. */
export interface SafeElement {
  readonly name: string
  /** No `close` follows. The content of a path is dropped. */
  readonly isEmpty: boolean
  /** The id of the element that a `use` draws; empty for other elements. */
  readonly target: string
  /**
   * Where the data of a path lie in the bytes. They are not checked: `shortPath` parses them, and writes command letters
   * and numbers only.
   */
  pathData(): readonly [from: number, to: number] | undefined
  /** The transform; undefined for one that is not written as a matrix. */
  matrix(): Matrix | undefined
  id(): string | undefined
  /** In their order and without path data; every name once. Equal values are one object, but for ids and references. */
  attributes(): readonly SafeAttribute[]
  /** Without id, references and transform. */
  paintAttributes(): readonly SafeAttribute[]
}

/** Returns what is allowed of a tag; undefined where the element is not allowed at all. */
export function safeElementReader(bytes: Buffer, replaceImage: ReplaceImage): (tag: Tag) => SafeElement | undefined {
  /** By name and value: a page has few different ones. */
  const checked = new Map<string, SafeAttribute | undefined>()
  const attributes: SafeAttribute[] = []
  let tag: Tag

  const add = (attribute: SafeAttribute | undefined) => {
    if (attribute && !attributes.some(({ name }) => name === attribute.name)) attributes.push(attribute)
  }
  const check = (name: string, kind: ValueKind, value: string): SafeAttribute | undefined => {
    const key = `${name} ${value}`
    let attribute = checked.get(key)
    if (attribute === undefined && !checked.has(key)) {
      const trimmed = value.trim()
      if (isAllowedValue(kind, trimmed)) attribute = { name, kind, value: trimmed }
      checked.set(key, attribute)
    }
    return attribute
  }
  const addStyle = (style: string) => {
    for (const [name, value] of parseStyle(style)) {
      const kind = valueKind(name)
      add(kind ? check(name, kind, value) : { name, kind: 'style', value })
    }
  }
  const addPaint = (name: string) => {
    const kind = valueKind(name)
    if (kind) add(check(name, kind, tag.value(name) ?? ''))
    else if (name === 'style') addStyle(tag.value(name) ?? '')
  }
  const addId = () => {
    const id = element.id()
    if (id !== undefined) add({ name: 'id', kind: 'id', value: id })
  }
  const addReference = () => {
    if (tag.name === 'image') {
      const [from, to] = tag.range('xlink:href') ?? tag.range('href') ?? [0, 0]
      const url = imageUrl(bytes.toString('latin1', from, to), replaceImage)
      if (url) add({ name: 'href', kind: 'image', value: url })
    } else if (tag.name === 'use' || tag.name === 'pattern' || tag.name.endsWith('Gradient')) {
      const target = readTarget(tag)
      if (target) add({ name: 'href', kind: 'link', value: target })
    }
  }

  const element = {
    name: '',
    isEmpty: true,
    target: '',
    pathData: () => (tag.name === 'path' ? tag.range('d') : undefined),
    matrix: () => {
      const range = tag.range('transform')
      return range ? readMatrix(bytes, range[0], range[1]) : identity
    },
    id: () => {
      const id = tag.value('id')
      return id !== undefined && /^[\w.-]+$/.test(id) ? id : undefined
    },
    attributes: () => {
      attributes.length = 0
      for (let n = 0; n < tag.count; n++) {
        const name = tag.names[n] ?? ''
        if (name === 'id') addId()
        else if (name === 'href' || name === 'xlink:href') addReference()
        else addPaint(name)
      }
      return attributes
    },
    paintAttributes: () => {
      attributes.length = 0
      for (let n = 0; n < tag.count; n++) {
        const name = tag.names[n] ?? ''
        if (name !== 'transform') addPaint(name)
      }
      return attributes
    },
  }
  return (next) => {
    tag = next
    if (!allowedElements.has(tag.name)) return undefined
    element.name = tag.name
    element.isEmpty = tag.kind === 'empty' || tag.name === 'path'
    element.target = tag.name === 'use' ? readTarget(tag) : ''
    return tag.name === 'use' && element.target === '' ? undefined : element
  }
}

/** The id in a reference to an element of the page; empty for any other reference. */
function readTarget(tag: Tag): string {
  const reference = tag.internedValue('xlink:href') ?? tag.internedValue('href') ?? ''
  return /^#[\w.-]+$/.test(reference) ? reference.slice(1) : ''
}
