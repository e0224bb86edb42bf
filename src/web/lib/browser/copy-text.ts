/** Returns whether it worked. Pages without TLS have no clipboard API; there a selected text is copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    const before = document.activeElement
    area.value = text
    area.readOnly = true
    document.body.append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    return isCopied
  }
}
