import { common, createLowlight } from 'lowlight'

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

const lowlight = createLowlight(common)

/** Beyond this, colouring would hold up the page for longer than it helps. */
const longest = 50_000

/** Colours the code whose language is named and known; the rest stays as it is. */
export function highlightCode(text: HTMLElement): void {
  for (const code of text.querySelectorAll<HTMLElement>('pre code[class*="language-"]')) {
    const language = /\blanguage-([\w+#.-]+)/.exec(code.className)?.[1] ?? ''
    const words = code.textContent
    if (code.childElementCount > 0 || words.length > longest || !lowlight.registered(language)) continue
    code.replaceChildren(...lowlight.highlight(language, words).children.flatMap(drawn))
  }
}

function drawn(node: Node): (HTMLElement | Text)[] {
  if (node.type === 'text') return [document.createTextNode(node.value)]
  if (node.type !== 'element') return []
  const span = document.createElement('span')
  const names = node.properties.className
  span.className = Array.isArray(names) ? names.join(' ') : ''
  span.append(...node.children.flatMap(drawn))
  return [span]
}
