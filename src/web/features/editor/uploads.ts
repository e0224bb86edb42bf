import { type Editor, Extension } from '@tiptap/core'
import type { Node, NodeType } from '@tiptap/pm/model'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { type Media, type MediaKind, sendMedia } from '#web/features/editor/send-media.ts'
import { uploadBox } from '#web/features/editor/upload-box.ts'

/** Pictures and videos on their way. They stand beside the text, not in it: nothing unfinished can be saved. */
export const Uploads = Extension.create({
  name: 'uploads',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key: waiting,
      state: {
        init: () => DecorationSet.empty,
        apply(tr, before) {
          const set = before.map(tr.mapping, tr.doc)
          const change = tr.getMeta(waiting) as Change | undefined
          if (!change) return set
          return 'add' in change ? set.add(tr.doc, [change.add]) : set.remove(placed(set, change.remove))
        },
      },
      props: { decorations: (state) => waiting.getState(state) },
    }),
  ],
})

const waiting = new PluginKey<DecorationSet>('uploads')

type Change = { add: Decoration } | { remove: object }

export const mediaTypes: Record<MediaKind, string> = {
  image: 'image/png,image/jpeg,image/gif,image/webp,image/bmp',
  video: 'video/mp4,video/webm',
}

export function mediaIn(files: Iterable<File> | undefined): File[] {
  return [...(files ?? [])].filter(({ type }) => /^(image|video)\//.test(type))
}

export function hasUploads(editor: Editor): boolean {
  return (waiting.getState(editor.state)?.find().length ?? 0) > 0
}

/** Each is put in when it and those before it have come, so that they keep their order. */
export function uploadFiles(editor: Editor, files: readonly File[], at = editor.state.selection.to): void {
  let before: Promise<unknown> = Promise.resolve()
  for (const file of files) before = upload(editor, file, { at, before })
}

/** Ends with the first attempt, whether it has succeeded or not. */
async function upload(editor: Editor, file: File, { at, before }: { at: number; before: Promise<unknown> }) {
  const kind: MediaKind = file.type.startsWith('video/') ? 'video' : 'image'
  const type = editor.schema.nodes[kind]
  if (!type) return
  const id = {}
  const over = new AbortController()
  const end = () => {
    editor.off('destroy', end)
    over.abort()
    box.close()
  }
  const remove = () => {
    end()
    editor.view.dispatch(editor.state.tr.setMeta(waiting, { remove: id }))
    editor.commands.focus()
  }
  const attempt = async () => {
    box.progress(0)
    try {
      const media = await sendMedia(kind, file, { signal: over.signal, onSent: box.progress })
      await before
      finish(media)
    } catch (error) {
      if (!over.signal.aborted) box.fail(error instanceof Error ? error.message : '上传失败，请稍后重试')
    }
  }
  const finish = ({ url, alt }: Media) => {
    if (over.signal.aborted) return
    end()
    const { state } = editor
    const [place] = placed(waiting.getState(state) ?? DecorationSet.empty, id)
    // Its place has been deleted meanwhile, and it with it.
    if (!place) return
    const node = type.create(kind === 'image' ? { src: url, alt } : { src: url })
    editor.view.dispatch(state.tr.insert(place.from, node).setMeta(waiting, { remove: id }))
  }
  const box = uploadBox(kind, file, { retry: () => void attempt(), remove })
  const widget = Decoration.widget(placeFor(editor.state.doc, at, type), box.dom, {
    id,
    side: 1,
    stopEvent: () => true,
    ignoreSelection: true,
  })
  editor.on('destroy', end)
  editor.view.dispatch(editor.state.tr.setMeta(waiting, { add: widget }))
  await attempt()
}

function placed(set: DecorationSet, id: object): Decoration[] {
  return set.find(undefined, undefined, (spec: { id?: object }) => spec.id === id)
}

/** Between blocks: an empty line stays below, to write on. */
function placeFor(doc: Node, at: number, type: NodeType): number {
  const place = doc.resolve(Math.min(at, doc.content.size))
  if (!place.parent.isTextblock) return place.pos
  const index = place.index(-1)
  const isEmpty = place.parent.content.size === 0
  return isEmpty && place.node(-1).canReplaceWith(index, index, type) ? place.before() : place.after()
}
