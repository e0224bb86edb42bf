import { X } from 'lucide-react'
import { useState } from 'react'
import { addTags, endsTag, joinTags, maxTags, parseTags } from '#web/features/articles/tags.ts'
import { cx } from '#web/ui/class-names.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { controlClass } from '#web/ui/forms/input.tsx'

interface TagInputProps {
  /** Separated by commas. */
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

export function TagInput({ value, onChange, error }: TagInputProps) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState('')
  const tags = parseTags(value)
  const add = (text: string) => {
    const next = addTags(tags, text)
    setProblem(next.problem)
    setTyped(next.problem ? text.replace(/[,，、;；\n]+$/, '') : '')
    onChange(joinTags(next.tags))
  }
  const remove = (tag: string) => {
    setProblem('')
    onChange(joinTags(tags.filter((item) => item !== tag)))
  }
  return (
    <Field label="标签" error={error ?? problem} help={`用逗号或回车隔开，最多 ${maxTags} 个`}>
      {(control) => (
        <>
          {tags.length > 0 && (
            <ul aria-label="已有标签" className="mb-2 flex flex-wrap gap-1.5">
              {tags.map((tag) => (
                <li
                  key={tag}
                  className="flex max-w-full items-center rounded-md bg-sunken pl-2.5 text-sm leading-8 break-all"
                >
                  {tag}
                  <button
                    type="button"
                    aria-label={`移除标签 ${tag}`}
                    onClick={() => remove(tag)}
                    className="flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:text-ink"
                  >
                    <X size={14} aria-hidden />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <input
            {...control}
            value={typed}
            autoComplete="off"
            enterKeyHint="done"
            onChange={({ target, nativeEvent }) => {
              const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing
              if (!isComposing && endsTag(target.value)) add(target.value)
              else setTyped(target.value)
            }}
            onCompositionEnd={({ currentTarget }) => endsTag(currentTarget.value) && add(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return
              const last = tags.at(-1)
              if (event.key === 'Enter') {
                event.preventDefault()
                add(typed)
              } else if (event.key === 'Backspace' && typed === '' && last !== undefined) remove(last)
            }}
            onBlur={() => add(typed)}
            className={cx(controlClass, 'h-11')}
          />
        </>
      )}
    </Field>
  )
}
