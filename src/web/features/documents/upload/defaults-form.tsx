import type { ReactNode } from 'react'
import { categoryLabels } from '#web/features/documents/category-labels.ts'
import { LanguageSelect } from '#web/features/documents/upload/language-select.tsx'
import { OwnerField } from '#web/features/documents/upload/owner-field.tsx'
import { queue } from '#web/features/documents/upload/window-queue.ts'
import { PriceInput } from '#web/features/documents/upload/price-input.tsx'
import type { UploadDefaults } from '#web/features/documents/upload/row.ts'
import { AudienceFields } from '#web/features/documents/visibility/audience-fields.tsx'
import { hasPermission, useSession } from '#web/lib/session.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { PathSelect, type PathNode } from '#web/ui/forms/path-select.tsx'

interface DefaultsFormProps {
  defaults: UploadDefaults
  categories: readonly PathNode[]
  creditName: string
  /** The errors of the category, the owner and the groups. */
  problem: string
  ownerProblem: string
  audienceProblem: string
}

/** Category, language, price and visibility for all files. */
export function DefaultsForm({
  defaults,
  categories,
  creditName,
  problem,
  ownerProblem,
  audienceProblem,
}: DefaultsFormProps) {
  const mayActForOthers = hasPermission(useSession(), 'DocumentAPI/UpdateDocument')
  return (
    <div className="space-y-5">
      <div className="grid grid-cols-2 gap-x-4 gap-y-4 md:grid-cols-[minmax(0,1fr)_11rem_11rem] md:gap-x-6">
        <div className="col-span-2 md:col-span-1">
          <Field
            label={categories.length === 0 ? '分类' : '分类（必选）'}
            error={problem}
            help={
              categories.length === 0 ? '网站还没有分类，可以直接上传' : '用于所有文件；也可以在列表里给单个文件另选'
            }
          >
            {(control) => (
              <PathSelect
                nodes={categories}
                value={defaults.category}
                onChange={(category) => queue.setDefaults({ category })}
                labels={categoryLabels}
                control={control}
              />
            )}
          </Field>
        </div>
        <Field label="默认语言">
          {(control) => (
            <LanguageSelect
              {...control}
              value={defaults.language}
              onChange={(language) => queue.setDefaults({ language })}
              className="h-11 px-3 text-base"
            />
          )}
        </Field>
        <Field label={`默认价格（${creditName}）`} help="0 为免费">
          {(control) => (
            <PriceInput
              {...control}
              value={defaults.price}
              onChange={(price) => queue.setDefaults({ price })}
              className="h-11 px-3 text-base"
            />
          )}
        </Field>
      </div>
      <AudienceFields
        value={defaults.audience}
        onChange={(audience) => queue.setDefaults({ audience })}
        problem={audienceProblem}
      />
      {mayActForOthers && <OwnerField owner={defaults.owner} error={ownerProblem} />}
      <Toggle checked={defaults.hasDetails} onChange={(hasDetails) => queue.setDefaults({ hasDetails })}>
        填写关键字和简介
      </Toggle>
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
    <label className="inline-flex min-h-8 cursor-pointer items-center gap-2 text-sm">
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
