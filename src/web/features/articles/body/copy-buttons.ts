import { copyText } from '#web/lib/browser/copy-text.ts'

/** Adds a copy button to every code block. */
export function addCopyButtons(text: HTMLElement): void {
  for (const box of text.querySelectorAll<HTMLElement>('.code-box')) {
    if (box.querySelector(':scope > button')) continue
    const button = document.createElement('button')
    button.type = 'button'
    setLabel(button, '复制')
    button.addEventListener('click', () => void copy(box, button))
    box.append(button)
  }
}

const feedbackMs = 2000

async function copy(box: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const isCopied = await copyText(box.querySelector('pre')?.textContent ?? '')
  setLabel(button, isCopied ? '已复制' : '没有复制成功')
  setTimeout(() => setLabel(button, '复制'), feedbackMs)
}

function setLabel(button: HTMLButtonElement, text: string): void {
  button.textContent = text
  button.ariaLabel = text === '复制' ? '复制代码' : text
  button.ariaLive = 'polite'
}
