import { documentKinds, kindOf } from '#shared/document-kinds.ts'
import { kindColor } from '#web/features/documents/kind-color.ts'

/** What a document is, in its colour and in a word: light enough to stand in every row of a list. */
export function KindLabel({ ext }: { ext: string }) {
  return (
    <span
      style={{ color: kindColor(ext) }}
      className="shrink-0 rounded-sm border border-current px-1 text-xs leading-4 font-semibold whitespace-nowrap"
    >
      {documentKinds[kindOf(ext)].label}
    </span>
  )
}
