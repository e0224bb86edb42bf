import { common, createLowlight } from 'lowlight'

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

const lowlight = createLowlight(common)

/** Highlighting longer code would block the page. */
const maxLength = 50_000

/** Highlights code blocks with a known language. */
export function highlightCode(text: HTMLElement): void {
  for (const code of text.querySelectorAll<HTMLElement>('pre code[class*="language-"]')) {
    const language = /\blanguage-([\w+#.-]+)/.exec(code.className)?.[1] ?? ''
    const words = code.textContent
    if (code.childElementCount > 0 || words.length > maxLength || !lowlight.registered(language)) continue
    code.replaceChildren(...lowlight.highlight(language, words).children.flatMap(toElements))
  }
}

function toElements(node: Node): (HTMLElement | Text)[] {
  if (node.type === 'text') return [document.createTextNode(node.value)]
  if (node.type !== 'element') return []
  const span = document.createElement('span')
  const names = node.properties.className
  span.className = Array.isArray(names) ? names.join(' ') : ''
  span.append(...node.children.flatMap(toElements))
  return [span]
}
