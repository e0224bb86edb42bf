import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'

/** What is written right behind a link does not belong to it. */
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
