import { lazy, Suspense, useCallback, useState } from 'react'
import { addCopyButtons } from '#web/features/articles/body/copy-buttons.ts'
import { letTablesScroll } from '#web/features/articles/body/wide-tables.ts'
import { openPictures, type Picture } from '#web/features/articles/body/pictures.ts'
import { SafeHtml } from '#web/ui/safe-html.tsx'

const ImageViewer = lazy(async () => ({ default: (await import('#web/ui/image-viewer.tsx')).ImageViewer }))

/** The text of an article. What is drawn in it, and what one can do with it, comes after the words. */
export function ArticleBody({ html }: { html: string }) {
  const [shown, setShown] = useState<{ pictures: Picture[]; first: number }>()
  const enliven = useCallback((text: HTMLElement | null) => {
    if (!text) return undefined
    addCopyButtons(text)
    if (text.querySelector('pre code')) void draw(text, 'code')
    if (text.querySelector('[data-latex]')) void draw(text, 'formulas')
    const leave = [letTablesScroll(text), openPictures(text, (pictures, first) => setShown({ pictures, first }))]
    return () => {
      for (const end of leave) end()
    }
  }, [])
  return (
    <>
      {/* Another text is another place: nothing that was put into the one before stays. */}
      <div key={html} ref={enliven}>
        <SafeHtml html={html} className="prose-cn text-[1.0625rem]" />
      </div>
      {shown && (
        <Suspense>
          <ImageViewer pictures={shown.pictures} first={shown.first} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </>
  )
}

/** Without what draws them, code and formulas are still there to read. */
async function draw(text: HTMLElement, what: 'code' | 'formulas'): Promise<void> {
  try {
    if (what === 'code') (await import('#web/features/articles/body/highlight.ts')).highlightCode(text)
    else (await import('#web/features/articles/body/formulas.ts')).drawFormulas(text)
  } catch {
    // The script did not come.
  }
}
