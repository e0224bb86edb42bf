import { mergeAttributes, Node } from '@tiptap/core'
import { isMediaAddress } from '#web/features/editor/rich-text/safe-address.ts'

export const Video = Node.create({
  name: 'video',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes() {
    return { src: { default: null, parseHTML: addressOf } }
  },
  parseHTML() {
    return [{ tag: 'video', getAttrs: (element) => (isMediaAddress(addressOf(element)) ? null : false) }]
  },
  renderHTML({ HTMLAttributes }) {
    return ['video', mergeAttributes(HTMLAttributes, { controls: 'controls', preload: 'metadata' })]
  },
})

function addressOf(element: HTMLElement): string {
  return element.getAttribute('src') ?? element.querySelector('source')?.getAttribute('src') ?? ''
}
