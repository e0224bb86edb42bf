import { copyText } from '#web/lib/copy-text.ts'

/** Every block of code can be taken along. */
export function addCopyButtons(text: HTMLElement): void {
  for (const box of text.querySelectorAll<HTMLElement>('.code-box')) {
    if (box.querySelector(':scope > button')) continue
    const button = document.createElement('button')
    button.type = 'button'
    say(button, '复制')
    button.addEventListener('click', () => void copy(box, button))
    box.append(button)
  }
}

const saidForMs = 2000

async function copy(box: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const isCopied = await copyText(box.querySelector('pre')?.textContent ?? '')
  say(button, isCopied ? '已复制' : '没有复制成功')
  setTimeout(() => say(button, '复制'), saidForMs)
}

function say(button: HTMLButtonElement, words: string): void {
  button.textContent = words
  button.ariaLabel = words === '复制' ? '复制代码' : words
  button.ariaLive = 'polite'
}
