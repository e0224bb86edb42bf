import { Suspense, useCallback, useState } from 'react'
import { addCopyButtons } from '#web/features/articles/body/copy-buttons.ts'
import { letTablesScroll } from '#web/features/articles/body/wide-tables.ts'
import { openPictures, type Picture } from '#web/features/articles/body/pictures.ts'
import { SafeHtml } from '#web/ui/safe-html.tsx'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'

const ImageViewer = lazyOverlay(async () => (await import('#web/ui/image-viewer/image-viewer.tsx')).ImageViewer)

const elementId = 'article-text'

/**
 * The text of an article. Code colours, formulas and interactions are added in the browser. Where the server has rendered the
 * page, the text is not among the loaded data but in the page: it is added to them, for going back without a network.
 */
export function ArticleBody({ loaded }: { loaded: { html?: string } }) {
  const [text] = useState(
    () => (loaded.html ??= document.getElementById(elementId)?.firstElementChild?.innerHTML ?? ''),
  )
  const [viewer, setViewer] = useState<{ pictures: Picture[]; first: number }>()
  const enhance = useCallback((text: HTMLElement | null) => {
    if (!text) return undefined
    addCopyButtons(text)
    if (text.querySelector('pre code')) void render(text, 'code')
    if (text.querySelector('[data-latex]')) void render(text, 'formulas')
    const cleanups = [letTablesScroll(text), openPictures(text, (pictures, first) => setViewer({ pictures, first }))]
    return () => {
      for (const cleanup of cleanups) cleanup()
    }
  }, [])
  return (
    <>
      <div id={elementId} ref={enhance}>
        <SafeHtml html={text} className="prose-cn text-[1.0625rem]" />
      </div>
      {viewer && (
        <Suspense>
          <ImageViewer pictures={viewer.pictures} first={viewer.first} onClose={() => setViewer(undefined)} />
        </Suspense>
      )}
    </>
  )
}

/** If the script does not load, code stays uncoloured and formulas stay LaTeX. */
async function render(text: HTMLElement, what: 'code' | 'formulas'): Promise<void> {
  try {
    if (what === 'code') (await import('#web/features/articles/body/highlight.ts')).highlightCode(text)
    else (await import('#web/features/articles/body/formulas.ts')).drawFormulas(text)
  } catch {
    // See above.
  }
}
