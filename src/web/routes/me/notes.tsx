import { Form } from 'react-router'
import type { Route } from './+types/notes.ts'
import { annotations, bookmarks } from '#shared/contract/reading.ts'
import { ExportButton } from '#web/features/documents/reading/export-button.tsx'
import { MarkedDocuments } from '#web/features/documents/reading/marked-documents.tsx'
import { BookmarkItem, NoteItem } from '#web/features/documents/reading/note-item.tsx'
import { ChoiceTabs } from '#web/features/lists/choice-tabs.tsx'
import { MemberList } from '#web/features/lists/member-list.tsx'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { parsePage } from '#web/ui/navigation/pagination.tsx'
import { NotebookDrawing } from '#web/ui/drawings/notebook.tsx'
import { RibbonDrawing } from '#web/ui/drawings/ribbon.tsx'
import { SearchDrawing } from '#web/ui/drawings/search.tsx'

const size = 30
const maxWordsLength = 100
const bookmarksPath = '/me/notes?kind=bookmark'

export const clientLoader = load(async ({ api, url }) => {
  const wd = (url.searchParams.get('wd') ?? '').trim().slice(0, maxWordsLength)
  const list = { wd, page: parsePage(url.searchParams), size }
  if (url.searchParams.get('kind') === 'bookmark') {
    const { total, bookmark } = await api(bookmarks.list, list)
    return { wd, total, bookmark, annotation: undefined }
  }
  const { total, annotation } = await api(annotations.list, list)
  return { wd, total, annotation, bookmark: undefined }
}).client

export default function MyNotes({ loaderData: { wd, total, annotation, bookmark } }: Route.ComponentProps) {
  const rows = (annotation ?? bookmark).length
  const path = bookmark ? bookmarksPath : '/me/notes'
  return (
    <Card title="我的笔记" aside={total > 0 && wd === '' && <ExportButton label="导出 Markdown" />}>
      <div className="-mt-2 mb-5 border-b border-line">
        <ChoiceTabs
          label="笔记的类别"
          choices={[
            { title: '高亮和笔记', to: '/me/notes', isChosen: annotation !== undefined },
            { title: '书签', to: bookmarksPath, isChosen: bookmark !== undefined },
          ]}
        />
      </div>
      {(total > 0 || wd !== '') && <SearchForm key={path + wd} wd={wd} isOfBookmarks={bookmark !== undefined} />}
      <MemberList
        total={total}
        size={size}
        rows={rows}
        firstPage={path}
        empty={
          wd === '' ? (
            <EmptyState
              title={bookmark ? '还没有书签' : '还没有笔记'}
              drawing={bookmark ? <RibbonDrawing /> : <NotebookDrawing />}
              action={<ButtonLink to="/me/history">接着读</ButtonLink>}
            >
              {bookmark
                ? '阅读时按 B，或点书签图标，就能给这一页加书签。'
                : '阅读时选中文字，就能高亮和写笔记，只有自己看得到。'}
            </EmptyState>
          ) : (
            <EmptyState
              title="没有找到"
              drawing={<SearchDrawing />}
              action={<ButtonLink to={path}>显示全部</ButtonLink>}
            >
              换个词试试。
            </EmptyState>
          )
        }
      >
        {annotation && (
          <MarkedDocuments
            marks={annotation}
            renderMark={(one) => <NoteItem key={`${one.id} ${one.updated_at}`} annotation={one} />}
          />
        )}
        {bookmark && (
          <MarkedDocuments marks={bookmark} renderMark={(one) => <BookmarkItem key={one.id} bookmark={one} />} />
        )}
      </MemberList>
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '我的笔记' })
}

function SearchForm({ wd, isOfBookmarks }: { wd: string; isOfBookmarks: boolean }) {
  const words = isOfBookmarks ? '搜索书签和文档标题' : '搜索原文、笔记和文档标题'
  return (
    <search>
      <Form action="/me/notes" className="mb-6 flex gap-2">
        {isOfBookmarks && <input type="hidden" name="kind" value="bookmark" />}
        <input
          type="search"
          name="wd"
          defaultValue={wd}
          aria-label={words}
          placeholder={words}
          maxLength={maxWordsLength}
          className="h-10 min-w-0 flex-1 rounded-md border border-edge bg-surface px-3 text-base placeholder:text-muted md:text-sm"
        />
        <Button type="submit">搜索</Button>
      </Form>
    </search>
  )
}
