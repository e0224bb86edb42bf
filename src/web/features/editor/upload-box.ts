import type { MediaKind } from '#web/features/editor/send-media.ts'

export interface UploadBox {
  dom: HTMLElement
  progress: (share: number) => void
  fail: (why: string) => void
  close: () => void
}

interface Deeds {
  retry: () => void
  remove: () => void
}

/** Stands in the text where a picture or a video will be, and says how far it is. */
export function uploadBox(kind: MediaKind, file: File, { retry, remove }: Deeds): UploadBox {
  const dom = element('div', 'editor-upload')
  dom.contentEditable = 'false'
  const preview = kind === 'image' ? URL.createObjectURL(file) : ''
  if (preview) {
    const picture = element('img', 'editor-upload-preview')
    picture.alt = ''
    picture.src = preview
    dom.append(picture)
  }
  const bar = element('progress', 'editor-upload-bar')
  bar.max = 1
  bar.setAttribute('aria-label', `正在上传 ${file.name}`)
  const says = element('span', 'editor-upload-says')
  says.setAttribute('role', 'status')
  const again = button('重试', retry)
  const line = element('div', 'editor-upload-line')
  line.append(says, again, button('移除', remove))
  dom.append(bar, line)
  const progress = (share: number) => {
    dom.classList.remove('is-failed')
    again.hidden = true
    bar.hidden = false
    if (share < 1) bar.value = share
    // The last byte is sent, the server looks at it.
    else bar.removeAttribute('value')
    says.textContent = share < 1 ? `正在上传 ${Math.floor(share * 100)}%` : '正在处理…'
  }
  progress(0)
  return {
    dom,
    progress,
    fail(why) {
      dom.classList.add('is-failed')
      again.hidden = false
      bar.hidden = true
      says.textContent = `${file.name}：${why}`
    },
    close: () => URL.revokeObjectURL(preview),
  }
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, className: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  made.className = className
  return made
}

function button(text: string, act: () => void): HTMLButtonElement {
  const made = element('button', 'editor-upload-button')
  made.type = 'button'
  made.textContent = text
  made.addEventListener('click', act)
  return made
}
