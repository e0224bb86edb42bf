import { KeysDialog } from '#web/features/documents/reader/modes/keys-dialog.tsx'
import { Presentation } from '#web/features/documents/reader/modes/presentation.tsx'
import { PrintDialog } from '#web/features/documents/reader/modes/print-dialog.tsx'
import type { SizeRun } from '#web/features/documents/reader/pages/page-layout.ts'

export interface ModeProps {
  hash: string
  title: string
  sizes: readonly SizeRun[]
  preview: number
  current: number
  onGo: (page: number) => void
  onClose: () => void
}

/** What opens above the reader. */
export function ModeOverlay({ kind, ...props }: ModeProps & { kind: 'presentation' | 'print' | 'keys' }) {
  if (kind === 'presentation') return <Presentation {...props} />
  if (kind === 'print') return <PrintDialog {...props} />
  return <KeysDialog view="pages" onClose={props.onClose} />
}
