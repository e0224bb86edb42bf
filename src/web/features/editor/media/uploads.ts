import { type Editor, Extension } from '@tiptap/core'
import type { Node, NodeType } from '@tiptap/pm/model'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { type Media, type MediaKind, sendMedia } from '#web/features/editor/media/send-media.ts'
import { uploadBox } from '#web/features/editor/media/upload-box.ts'

/** Uploads of pictures and videos. Their placeholders are decorations rather than nodes, so they are never saved. */
export const Uploads = Extension.create({
  name: 'uploads',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key: pluginKey,
      state: {
        init: () => DecorationSet.empty,
        apply(tr, before) {
          const set = before.map(tr.mapping, tr.doc)
          const change = tr.getMeta(pluginKey) as Change | undefined
          if (!change) return set
          return 'add' in change ? set.add(tr.doc, [change.add]) : set.remove(findPlaceholder(set, change.remove))
        },
      },
      props: { decorations: (state) => pluginKey.getState(state) },
    }),
  ],
})

const pluginKey = new PluginKey<DecorationSet>('uploads')

type Change = { add: Decoration } | { remove: object }

export const mediaTypes: Record<MediaKind, string> = {
  image: 'image/png,image/jpeg,image/gif,image/webp,image/bmp',
  video: 'video/mp4,video/webm',
}

export function mediaFiles(files: Iterable<File> | undefined): File[] {
  return [...(files ?? [])].filter(({ type }) => /^(image|video)\//.test(type))
}

export function hasUploads(editor: Editor): boolean {
  return (pluginKey.getState(editor.state)?.find().length ?? 0) > 0
}

/** Each is inserted after the ones before it, so that they keep their order. */
export function uploadFiles(editor: Editor, files: readonly File[], at = editor.state.selection.to): void {
  let before: Promise<unknown> = Promise.resolve()
  for (const file of files) before = upload(editor, file, { at, before })
}

/** Resolves after the first attempt, successful or not. */
async function upload(editor: Editor, file: File, { at, before }: { at: number; before: Promise<unknown> }) {
  const kind: MediaKind = file.type.startsWith('video/') ? 'video' : 'image'
  const type = editor.schema.nodes[kind]
  if (!type) return
  const id = {}
  const controller = new AbortController()
  const end = () => {
    editor.off('destroy', end)
    controller.abort()
    box.close()
  }
  const remove = () => {
    end()
    editor.view.dispatch(editor.state.tr.setMeta(pluginKey, { remove: id }))
    editor.commands.focus()
  }
  const attempt = async () => {
    box.showProgress(0)
    try {
      const media = await sendMedia(kind, file, { signal: controller.signal, onProgress: box.showProgress })
      await before
      insert(media)
    } catch (error) {
      if (!controller.signal.aborted) box.showError(error instanceof Error ? error.message : '上传失败，请稍后重试')
    }
  }
  const insert = ({ url, alt }: Media) => {
    if (controller.signal.aborted) return
    end()
    const { state } = editor
    const [placeholder] = findPlaceholder(pluginKey.getState(state) ?? DecorationSet.empty, id)
    // Deleted with the text around it.
    if (!placeholder) return
    const node = type.create(kind === 'image' ? { src: url, alt } : { src: url })
    editor.view.dispatch(state.tr.insert(placeholder.from, node).setMeta(pluginKey, { remove: id }))
  }
  const box = uploadBox(kind, file, { retry: () => void attempt(), remove })
  const widget = Decoration.widget(insertPosition(editor.state.doc, at, type), box.dom, {
    id,
    side: 1,
    stopEvent: () => true,
    ignoreSelection: true,
  })
  editor.on('destroy', end)
  editor.view.dispatch(editor.state.tr.setMeta(pluginKey, { add: widget }))
  await attempt()
}

function findPlaceholder(set: DecorationSet, id: object): Decoration[] {
  return set.find(undefined, undefined, (spec: { id?: object }) => spec.id === id)
}

/** Between blocks, and above an empty line, so that writing continues below. */
function insertPosition(doc: Node, at: number, type: NodeType): number {
  const position = doc.resolve(Math.min(at, doc.content.size))
  if (!position.parent.isTextblock) return position.pos
  const index = position.index(-1)
  const isEmpty = position.parent.content.size === 0
  return isEmpty && position.node(-1).canReplaceWith(index, index, type) ? position.before() : position.after()
}
