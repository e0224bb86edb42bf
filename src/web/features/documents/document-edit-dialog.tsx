import { useState } from 'react'
import * as z from 'zod/mini'
import { documents, type Document } from '#shared/contract/documents.ts'
import { Visibility } from '#shared/enums.ts'
import { orderFromRoot } from '#web/features/documents/category-order.ts'
import { categoryLabels } from '#web/features/documents/category-labels.ts'
import { type Audience, audienceProblem, toInput } from '#web/features/documents/visibility/audience.ts'
import { AudienceFields } from '#web/features/documents/visibility/audience-fields.tsx'
import { ShareLinks } from '#web/features/documents/visibility/share-links.tsx'
import { api } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { useCreditName, useSite } from '#web/domain/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { PathSelect } from '#web/ui/forms/path-select.tsx'
import { Select } from '#web/ui/forms/select.tsx'
import { TextArea } from '#web/ui/forms/textarea.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

export type Editable = Pick<
  Document,
  | 'id'
  | 'title'
  | 'keywords'
  | 'description'
  | 'content'
  | 'language'
  | 'price'
  | 'category_id'
  | 'category'
  | 'visibility'
  | 'group_id'
  | 'downloadable'
>

interface DocumentEditDialogProps {
  document: Editable
  open: boolean
  onOpenChange: (open: boolean) => void
  onSaved: () => void
}

/** Title, description, category, language, price and visibility of a document, and its share links. */
export function DocumentEditDialog({ document, open, onOpenChange, onSaved }: DocumentEditDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="编辑文档">
      {open && (
        <EditForm
          document={document}
          onCancel={() => onOpenChange(false)}
          onSaved={() => {
            onOpenChange(false)
            onSaved()
          }}
        />
      )}
    </Dialog>
  )
}

function EditForm({ document, onCancel, onSaved }: { document: Editable; onCancel: () => void; onSaved: () => void }) {
  const { documentCategories, settings } = useSite()
  const [audience, setAudience] = useState<Audience>({
    visibility: document.visibility,
    groups: document.group_id,
    downloadable: document.downloadable,
  })
  const [isSent, setIsSent] = useState(false)
  const form = useForm({
    initial: {
      title: document.title,
      keywords: document.keywords,
      description: ownDescription(document),
      category: orderFromRoot(document.category)
        .map(({ id }) => id)
        .join(' '),
      language: document.language,
      price: String(document.price),
    },
    schema,
    required: {
      title: '请输入标题',
      price: '请输入价格，免费请填 0',
      ...(documentCategories.length > 0 && { category: '请选择分类' }),
    },
    check: ({ price }) =>
      /^\d{1,7}$/.test(price) && Number(price) <= 1_000_000 ? {} : { price: '请输入 0 到 1000000 的整数' },
    submit: async ({ title, keywords, description, category, language, price }) => {
      setIsSent(true)
      if (audienceProblem(audience) !== '') return
      await api(documents.update, {
        id: document.id,
        title,
        keywords,
        description,
        language,
        price: Number(price),
        category_id: parsePath(category),
        ...toInput(audience),
      })
      toast('已保存')
      onSaved()
    },
  })
  const creditName = useCreditName()
  const category = form.field('category')
  return (
    <form {...form.frame} className="-mx-6 mt-4">
      <div className="max-h-[calc(100dvh-13rem)] space-y-4 overflow-y-auto px-6 pb-1">
        <TextField label="标题" {...form.field('title')} maxLength={255} />
        <TextArea label="简介" {...form.field('description')} help="留空时取正文的开头" />
        <TextField label="关键字" {...form.field('keywords')} maxLength={255} help="用逗号隔开" />
        {documentCategories.length > 0 && (
          <Field label="分类" error={category.error}>
            {(control) => (
              <PathSelect
                nodes={documentCategories}
                value={parsePath(category.value)}
                onChange={(path) => category.onChange(path.join(' '))}
                labels={categoryLabels}
                control={control}
              />
            )}
          </Field>
        )}
        <div className="grid grid-cols-2 gap-4">
          <Select label="语言" {...form.field('language')}>
            <option value="">未指定</option>
            {settings.language.map(({ code, language }) => (
              <option key={code} value={code}>
                {language}
              </option>
            ))}
          </Select>
          <TextField label={`价格（${creditName}）`} {...form.field('price')} inputMode="numeric" maxLength={7} />
        </div>
        <AudienceFields value={audience} onChange={setAudience} problem={isSent ? audienceProblem(audience) : ''} />
        {audience.visibility === Visibility.Link &&
          (document.visibility === Visibility.Link ? (
            <ShareLinks documentId={document.id} />
          ) : (
            <Notice>保存后再次编辑，可以生成分享链接。</Notice>
          ))}
        {form.problem && <Notice tone="danger">{form.problem}</Notice>}
      </div>
      <div className="mt-5 flex justify-end gap-3 px-6">
        <Button onClick={onCancel} disabled={form.busy}>
          取消
        </Button>
        <Button type="submit" variant="primary" busy={form.busy}>
          保存
        </Button>
      </div>
    </form>
  )
}

const schema = z.pick(documents.update.input, { title: true, keywords: true, description: true })

/** The form stores a path of categories as their ids from the root down. */
function parsePath(text: string): number[] {
  return text.split(' ').filter(Boolean).map(Number)
}

/** Without a description the API returns the title or the beginning of the text, which must not be saved as one. */
function ownDescription({ description, content, title }: Editable): string {
  return description === title || content.trimStart().startsWith(description) ? '' : description
}
