import type { ReactNode } from 'react'
import { formatSize } from '#shared/format.ts'
import { categoryWords } from '#web/features/documents/category-words.ts'
import type { Rules } from '#web/features/documents/upload/acceptance.ts'
import { LanguageSelect } from '#web/features/documents/upload/language-select.tsx'
import { queue } from '#web/features/documents/upload/own-queue.ts'
import { PriceInput } from '#web/features/documents/upload/price-input.tsx'
import type { Plan } from '#web/features/documents/upload/row.ts'
import { Field } from '#web/ui/field.tsx'
import { PathSelect, type PathNode } from '#web/ui/path-select.tsx'

interface PlanFormProps {
  plan: Plan
  categories: readonly PathNode[]
  rules: Rules
  coin: string
  /** What is wrong with the category. */
  problem: string
}

/** What holds for all files: where they go, in which language, for how much. */
export function PlanForm({ plan, categories, rules, coin, problem }: PlanFormProps) {
  return (
    <div className="space-y-5">
      <div className="grid grid-cols-2 gap-x-4 gap-y-4 md:grid-cols-[minmax(0,1fr)_11rem_11rem] md:gap-x-6">
        <div className="col-span-2 md:col-span-1">
          <Field
            label="分类（必选）"
            error={problem}
            help={categories.length === 0 ? '网站还没有分类，可以直接上传' : undefined}
          >
            {(control) => (
              <PathSelect
                nodes={categories}
                value={plan.category}
                onChange={(category) => queue.plan({ category })}
                words={categoryWords}
                control={control}
              />
            )}
          </Field>
        </div>
        <Field label="默认语言">
          {(control) => (
            <LanguageSelect
              {...control}
              value={plan.language}
              onChange={(language) => queue.plan({ language })}
              className="h-11 px-3 text-base"
            />
          )}
        </Field>
        <Field label={`默认价格（${coin}）`} help="0 为免费">
          {(control) => (
            <PriceInput
              {...control}
              value={plan.price}
              onChange={(price) => queue.plan({ price })}
              className="h-11 px-3 text-base"
            />
          )}
        </Field>
      </div>
      <div className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
        <Toggle checked={plan.isFolder} onChange={(isFolder) => queue.plan({ isFolder })}>
          选择文件夹
        </Toggle>
        <Toggle checked={plan.hasDetails} onChange={(hasDetails) => queue.plan({ hasDetails })}>
          填写关键字和简介
        </Toggle>
      </div>
      <p className="text-sm text-muted">
        单个文件最大 {formatSize(rules.limit)}，支持 {rules.exts.map((ext) => ext.slice(1)).join('、')}。
      </p>
    </div>
  )
}

function Toggle({
  checked,
  onChange,
  children,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}) {
  return (
    <label className="inline-flex min-h-8 cursor-pointer items-center gap-2">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4 accent-accent"
      />
      {children}
    </label>
  )
}
