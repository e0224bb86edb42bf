import type { Node } from '@tiptap/pm/model'
import { NodeSelection } from '@tiptap/pm/state'
import type { Editor } from '@tiptap/react'
import katex from 'katex'
import { useEffect, useRef, useState } from 'react'
import { katexOptions } from '#web/features/editor/rich-text/extensions.ts'
import { FormDialog } from '#web/features/editor/rich-text/form-dialog.tsx'
import { TextArea } from '#web/ui/forms/textarea.tsx'

export function isFormula({ type }: Node): boolean {
  return type.name === 'inlineMath' || type.name === 'blockMath'
}

/** The formula replaces the selection: an existing formula, or its text. */
export function FormulaDialog({ editor, close }: { editor: Editor; close: () => void }) {
  const [formula] = useState(() => readSelection(editor))
  const [latex, setLatex] = useState(formula.latex)
  const [isBlock, setIsBlock] = useState(formula.isBlock)
  const [problem, setProblem] = useState('')
  const submit = () => {
    const nextProblem = latex.trim() === '' ? '请输入公式' : findProblem(latex)
    setProblem(nextProblem)
    const type = isBlock ? 'blockMath' : 'inlineMath'
    if (!nextProblem)
      editor
        .chain()
        .focus()
        .insertContent({ type, attrs: { latex: latex.trim() } })
        .run()
    return !nextProblem
  }
  return (
    <FormDialog title={formula.exists ? '修改公式' : '插入公式'} action="确定" submit={submit} close={close}>
      <TextArea
        label="LaTeX"
        name="latex"
        value={latex}
        onChange={(value) => {
          setLatex(value)
          setProblem('')
        }}
        onBlur={() => {}}
        error={problem}
        help={String.raw`例如 E = mc^2、\frac{a}{b}、\sum_{i=1}^{n} x_i`}
      />
      <Preview latex={latex} isBlock={isBlock} />
      <label className="inline-flex min-h-8 cursor-pointer items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={isBlock}
          onChange={({ target }) => setIsBlock(target.checked)}
          className="size-4 accent-accent"
        />
        独立成行
      </label>
    </FormDialog>
  )
}

function Preview({ latex, isBlock }: { latex: string; isBlock: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (box.current) katex.render(latex, box.current, { ...katexOptions, displayMode: isBlock })
  }, [latex, isBlock])
  return (
    <figure
      aria-label="预览"
      className="flex min-h-20 items-center overflow-x-auto rounded-md bg-sunken px-4 py-3 text-lg"
    >
      <div ref={box} aria-live="polite" className="mx-auto" />
    </figure>
  )
}

function findProblem(latex: string): string {
  try {
    katex.renderToString(latex, { ...katexOptions, throwOnError: true })
    return ''
  } catch {
    return '公式有误，请对照预览修改'
  }
}

function readSelection({ state: { selection, doc } }: Editor) {
  if (selection instanceof NodeSelection && isFormula(selection.node)) {
    const { attrs, type } = selection.node
    return { latex: String(attrs['latex']), isBlock: type.name === 'blockMath', exists: true }
  }
  return { latex: doc.textBetween(selection.from, selection.to, ' '), isBlock: false, exists: false }
}
