import { Image } from '@tiptap/extension-image'
import { isMediaAddress } from '#web/features/editor/rich-text/safe-address.ts'

/** A picture with an address that readers can load: no data URLs, no local files. */
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
