import { CircleAlert, CircleCheck, RotateCcw, X } from 'lucide-react'
import { memo } from 'react'
import { Link } from 'react-router'
import { toTitle } from '#shared/document-kinds.ts'
import { formatSize } from '#shared/format.ts'
import { type CategoryChoice, CategorySelect, pathLabel } from '#web/features/documents/upload/category-select.tsx'
import { Cover } from '#web/features/documents/cover.tsx'
import { documentPath } from '#web/domain/paths.ts'
import { KindIcon } from '#web/features/documents/kind-icon.tsx'
import { usePriceText } from '#web/domain/prices.ts'
import { UploadProgressBar } from '#web/features/documents/upload/upload-progress-bar.tsx'
import { LanguageSelect } from '#web/features/documents/upload/language-select.tsx'
import { queue } from '#web/features/documents/upload/window-queue.ts'
import { PriceInput } from '#web/features/documents/upload/price-input.tsx'
import { describeRow, type Tone } from '#web/features/documents/upload/row-text.ts'
import { hasFailed, type UploadDefaults, parsePrice, type UploadItem } from '#web/features/documents/upload/row.ts'
import { ReplaceButton } from '#web/features/documents/replace/replace-button.tsx'
import { isEditable } from '#web/features/documents/upload/row-state.ts'
import { useSite } from '#web/domain/site.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { controlClass } from '#web/ui/forms/input.tsx'

interface UploadRowProps {
  row: UploadItem
  /** Every category, to choose from. */
  choices: readonly CategoryChoice[]
  defaults: Pick<UploadDefaults, 'category' | 'language' | 'price' | 'hasDetails'>
  creditName: string
}

/** A file with its fields, progress and actions. */
export const UploadRow = memo(function UploadRow({ row, choices, defaults, creditName }: UploadRowProps) {
  const { id, state, title, ext, file, document } = row
  const fixed = !isEditable(state)
  return (
    <li className="grid grid-cols-[2.75rem_minmax(0,1fr)_auto] gap-x-3 gap-y-1.5 px-4 py-4 [contain-intrinsic-size:auto_7rem] [content-visibility:auto] lg:grid-cols-[2.75rem_minmax(0,1fr)_8.5rem_7rem_12rem] md:px-5">
      <Picture row={row} />
      <input
        aria-label={`${file.name} 的标题`}
        value={title}
        maxLength={255}
        readOnly={fixed}
        placeholder="留空时使用文件名"
        // The title from the file's metadata, which may come late, no longer replaces what the member is about to change.
        onFocus={() => row.titleSource === 'file-name' && queue.edit(id, { title })}
        onChange={({ target }) => queue.edit(id, { title: target.value })}
        className={cx(rowControl, 'font-medium', fixed && 'border-transparent! bg-transparent! px-0! text-ink!')}
      />
      <div className="col-start-2 col-end-[-1] row-start-3 flex flex-wrap gap-2 lg:contents">
        {fixed ? (
          <FixedFields row={row} choices={choices} />
        ) : (
          <>
            <LanguageAndPrice row={row} defaults={defaults} creditName={creditName} />
            <CategorySelect row={row} choices={choices} shared={defaults.category} />
          </>
        )}
      </div>
      <div className="col-start-3 row-start-1 -mr-2 flex h-9 items-center justify-end gap-1 lg:col-start-5">
        {state === 'failed' && (
          <Button size="sm" onClick={() => queue.retry(id)} aria-label={`重试 ${file.name}`}>
            <RotateCcw size={14} aria-hidden />
            重试
          </Button>
        )}
        {state === 'duplicate' && row.duplicate && (
          <>
            <Link
              to={documentPath(row.duplicate)}
              target="_blank"
              rel="opener"
              className="inline-flex h-8 items-center rounded-md border border-line px-3 text-sm font-medium whitespace-nowrap hover:border-edge"
            >
              打开那一份
            </Link>
            <Button size="sm" onClick={() => queue.publishAgain(id)} aria-label={`仍然发布 ${file.name}`}>
              仍然发布
            </Button>
          </>
        )}
        {document && hasFailed(row) && (
          <ReplaceButton
            document={{ id: document.id, title, ext, size: file.size, status: document.status }}
            onReplaced={() => queue.followAgain(id)}
            isListed
          />
        )}
        {document && (
          <Link
            to={documentPath(document)}
            target="_blank"
            // The new tab shares this one's process, which saves a fifth of the time to its first page.
            rel="opener"
            aria-label={`查看 ${title}（新窗口）`}
            className="inline-flex h-8 items-center rounded-md border border-line px-3 text-sm font-medium whitespace-nowrap hover:border-edge"
          >
            查看
          </Link>
        )}
        {state !== 'publishing' && (
          <IconButton label={`${removeLabel(row)} ${file.name}`} onClick={() => queue.remove(id)}>
            <X size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      <div className="col-start-2 col-end-[-1] row-start-2 min-w-0 lg:col-end-3">
        <p className="flex gap-2 text-xs whitespace-nowrap text-muted tabular-nums">
          <span className="uppercase">{ext.slice(1)}</span>
          <span>{formatSize(file.size)}</span>
          <span className="min-w-0 truncate" title={file.name}>
            {file.name}
          </span>
        </p>
        {row.titleSource === 'metadata' && !fixed && (
          <p className="mt-1 text-xs text-muted">
            标题取自文件属性
            <button
              type="button"
              onClick={() => queue.edit(id, { title: toTitle(file.name) })}
              aria-label={`改用文件名 ${file.name}`}
              className="ml-2 underline underline-offset-4 hover:text-accent"
            >
              改用文件名
            </button>
          </p>
        )}
        <RowProgress row={row} />
      </div>
      {defaults.hasDetails && !fixed && <Details row={row} />}
    </li>
  )
})

function LanguageAndPrice({
  row: { id, file, language, price },
  defaults,
  creditName,
}: Omit<UploadRowProps, 'choices'>) {
  return (
    <>
      <LanguageSelect
        aria-label={`${file.name} 的语言`}
        value={language ?? defaults.language}
        onChange={(language) => queue.edit(id, { language })}
        className="h-9 min-w-0 flex-1 px-2 text-sm lg:col-start-3 lg:row-start-1"
      />
      <span className="flex min-w-0 flex-1 items-center gap-1.5 lg:col-start-4 lg:row-start-1">
        <PriceInput
          aria-label={`${file.name} 的价格`}
          value={price ?? defaults.price}
          onChange={(price) => queue.edit(id, { price })}
          className="h-9 min-w-0 px-2 text-sm"
        />
        <span className="shrink-0 text-xs text-muted">{creditName}</span>
      </span>
    </>
  )
}

/** Of a published document. */
function FixedFields({
  row: { category, language, price = '' },
  choices,
}: {
  row: UploadItem
  choices: readonly CategoryChoice[]
}) {
  const priceText = usePriceText()
  const { language: languages } = useSite().settings
  const name = languages.find(({ code }) => code === language)?.language ?? '未指定'
  return (
    <>
      <span className="text-sm text-muted lg:col-start-3 lg:row-start-1 lg:pt-2">{name}</span>
      <span className="text-sm text-muted lg:col-start-4 lg:row-start-1 lg:pt-2">{priceText(parsePrice(price))}</span>
      {category.length > 0 && (
        <span className="text-sm text-muted lg:col-start-3 lg:col-end-5 lg:row-start-2">
          {pathLabel(choices, category)}
        </span>
      )}
    </>
  )
}

const rowControl = cx(controlClass, 'h-9 px-2 text-sm')

function Details({ row: { id, file, keywords, description } }: { row: UploadItem }) {
  return (
    <div className="col-start-2 col-end-[-1] row-start-4 grid gap-2 md:grid-cols-2">
      <input
        aria-label={`${file.name} 的关键字`}
        value={keywords}
        maxLength={255}
        placeholder="关键字，用逗号隔开；留空时自动提取"
        onChange={({ target }) => queue.edit(id, { keywords: target.value })}
        className={rowControl}
      />
      <input
        aria-label={`${file.name} 的简介`}
        value={description}
        maxLength={512}
        placeholder="简介；留空时取正文的开头"
        onChange={({ target }) => queue.edit(id, { description: target.value })}
        className={rowControl}
      />
    </div>
  )
}

/** The first page as soon as it is rendered. */
function Picture({ row: { document, title, ext } }: { row: UploadItem }) {
  const { cover = '', hash = '', pages = 0 } = document ?? {}
  const picture = cover || (pages > 0 && hash ? `/view/page/${hash}/1.svg` : '')
  if (picture) return <Cover document={{ cover: picture, title, ext }} className="row-span-3" />
  return (
    <span className="row-span-3 flex justify-center pt-1">
      <KindIcon ext={ext} size={32} />
    </span>
  )
}

function RowProgress({ row }: { row: UploadItem }) {
  const { text, tone, progress } = describeRow(row)
  const Icon = icons[tone]
  return (
    <div className="mt-1.5">
      <p className={cx('flex items-start gap-1.5 text-sm tabular-nums', colors[tone])}>
        {Icon && <Icon size={15} className="mt-0.5 shrink-0" aria-hidden />}
        <span className="min-w-0">{text}</span>
      </p>
      {progress !== undefined && (
        <div className="mt-1.5">
          <UploadProgressBar label={`${row.file.name} 的进度`} value={progress === true ? undefined : progress} />
        </div>
      )}
    </div>
  )
}

const colors: Record<Tone, string> = {
  muted: 'text-muted',
  accent: 'text-accent',
  success: 'text-success',
  warning: 'text-warning',
  danger: 'text-danger',
}

const icons = { muted: undefined, accent: undefined, success: CircleCheck, warning: CircleAlert, danger: CircleAlert }

function removeLabel({ state }: UploadItem): string {
  if (state === 'duplicate') return '不再发布'
  if (state === 'waiting' || state === 'hashing' || state === 'sending') return '取消上传'
  return '从列表移除'
}
