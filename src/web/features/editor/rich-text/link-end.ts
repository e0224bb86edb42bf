import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'

/** Text typed right after a link does not become part of it. */
export const LinkEnd = Extension.create({
  name: 'linkEnd',
  addProseMirrorPlugins: () => [
    new Plugin({
      appendTransaction(_transactions, _before, state) {
        const { link } = state.schema.marks
        const { empty, $from } = state.selection
        if (!link || !empty || state.storedMarks) return null
        const isEnd = link.isInSet($from.marks()) && !link.isInSet($from.nodeAfter?.marks ?? [])
        return isEnd ? state.tr.removeStoredMark(link) : null
      },
    }),
  ],
})
