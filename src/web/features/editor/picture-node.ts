import { Image } from '@tiptap/extension-image'
import { isMediaAddress } from '#web/features/editor/safe-address.ts'

/** A picture by its address: one that lies in the text itself, or on the writer's disk, is none. */
export const Picture = Image.extend({
  addAttributes() {
    const { src: _src, ...rest } = this.parent?.() ?? {}
    return { ...rest, src: { default: null, renderHTML: ({ src }) => (isMediaAddress(String(src)) ? { src } : {}) } }
  },
  parseHTML() {
    return [
      { tag: 'img[src]', getAttrs: (element) => (isMediaAddress(element.getAttribute('src') ?? '') ? null : false) },
    ]
  },
  parseMarkdown: (token, { createNode, createTextNode }) => {
    const { href = '', text = '' } = token
    return isMediaAddress(href) ? createNode('image', { src: href, alt: text }) : createTextNode(text)
  },
})
