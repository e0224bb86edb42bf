import { useEffect, useId, useRef } from 'react'
import { kindFilters, type KindFilter } from '#shared/document-kinds.ts'
import { ChoiceLink, type Choice } from '#web/features/lists/choice-link.tsx'
import { offeredFees, toQuery, type ListQuery } from '#web/features/documents/browse/list-query.ts'
import { categoryPath } from '#web/domain/paths.ts'
import { useSite, type CategoryNode } from '#web/domain/site.ts'

interface FiltersProps {
  query: ListQuery
  /** From the root to the current category; empty for all categories. */
  path: CategoryNode[]
  /** The address without a query. */
  listPath: string
}

/** Rows of filters; each is a link that keeps the others. */
export function Filters({ query, path, listPath }: FiltersProps) {
  const { documentCategories, settings } = useSite()
  const to = (change: Partial<ListQuery>) => listPath + toQuery(query, change)
  const kinds = [['', '全部'], ...Object.entries(kindFilters)] as [KindFilter | '', string][]
  return (
    <div className="rounded-lg border border-line bg-surface px-4 py-3 md:px-5">
      <Row
        label="分类"
        choices={categoryChoices({ path, roots: documentCategories, listPath, search: toQuery(query) })}
      />
      <Row
        label="类型"
        choices={kinds.map(([ext, title]) => ({ title, to: to({ ext }), isChosen: query.ext === ext }))}
      />
      <Row
        label="价格"
        choices={offeredFees(settings).map(([fee, title]) => ({ title, to: to({ fee }), isChosen: query.fee === fee }))}
      />
      {settings.language.length > 1 && (
        <Row
          label="语言"
          choices={[{ code: '', language: '全部' }, ...settings.language].map(({ code, language }) => ({
            title: language,
            to: to({ language: code }),
            isChosen: query.language === code,
          }))}
        />
      )}
    </div>
  )
}

interface CategoryRow extends Pick<FiltersProps, 'path' | 'listPath'> {
  roots: CategoryNode[]
  search: string
}

/** The children of the current category, or the siblings of a leaf. */
function categoryChoices({ path, roots, listPath, search }: CategoryRow): Choice[] {
  const current = path.at(-1)
  const isLeaf = current !== undefined && current.children.length === 0
  const parent = isLeaf ? path.at(-2) : current
  const choices = parent?.children ?? roots
  return [
    { title: '全部', to: (current ? categoryPath(parent) : listPath) + search, isChosen: !isLeaf },
    ...choices.map((category) => ({
      title: category.title,
      to: categoryPath(category) + search,
      isChosen: category.id === current?.id,
      count: category.doc_count,
      hint: category.description,
    })),
  ]
}

function Row({ label, choices }: { label: string; choices: Choice[] }) {
  const id = useId()
  const row = useScrollToChosen(choices.findIndex(({ isChosen }) => isChosen))
  return (
    <div className="flex items-start gap-2 py-1 text-sm md:gap-4">
      <span id={id} className="shrink-0 py-1.5 text-muted">
        {label}
      </span>
      <ul
        ref={row}
        aria-labelledby={id}
        className="relative -mr-4 flex min-w-0 gap-1 overflow-x-auto pr-4 [scrollbar-width:none] md:mr-0 md:flex-wrap md:overflow-visible md:pr-0"
      >
        {choices.map((choice) => (
          <li key={choice.to} className="shrink-0">
            <ChoiceLink choice={choice} keepsScroll />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** On a narrow screen a row scrolls: the active choice must be visible. */
function useScrollToChosen(chosen: number) {
  const row = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const [list, item] = [row.current, row.current?.children[chosen]]
    if (!list || !(item instanceof HTMLElement)) return
    if (item.offsetLeft + item.offsetWidth > list.scrollLeft + list.clientWidth || item.offsetLeft < list.scrollLeft)
      list.scrollLeft = item.offsetLeft - (list.clientWidth - item.offsetWidth) / 2
  }, [chosen])
  return row
}
