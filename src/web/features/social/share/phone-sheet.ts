import { copyText } from '#web/lib/browser/copy-text.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** The device's own sheet, with the people and apps that its owner sends things to; not all browsers have one. */
export function hasSheet(): boolean {
  return 'share' in navigator
}

/** The link is copied where the sheet does not open. */
export async function openSheet({ title, address }: { title: string; address: string }): Promise<void> {
  try {
    await navigator.share({ title, url: address })
  } catch (error) {
    // Closing the sheet is no failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copyLink(address)
  }
}

export async function copyLink(address: string): Promise<void> {
  const isCopied = await copyText(address)
  toast(isCopied ? '链接已复制' : '没有复制成功，请手动选择复制', isCopied ? 'success' : 'danger')
}
