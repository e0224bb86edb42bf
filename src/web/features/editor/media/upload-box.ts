import type { MediaKind } from '#web/features/editor/media/send-media.ts'

export interface UploadBox {
  dom: HTMLElement
  showProgress: (fraction: number) => void
  showError: (message: string) => void
  close: () => void
}

interface UploadBoxActions {
  retry: () => void
  remove: () => void
}

/** The placeholder in the text while a picture or a video is uploading. */
export function uploadBox(kind: MediaKind, file: File, { retry, remove }: UploadBoxActions): UploadBox {
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
  const status = element('span', 'editor-upload-status')
  status.setAttribute('role', 'status')
  const retryButton = button('重试', retry)
  const line = element('div', 'editor-upload-line')
  line.append(status, retryButton, button('移除', remove))
  dom.append(bar, line)
  const showProgress = (fraction: number) => {
    dom.classList.remove('is-failed')
    retryButton.hidden = true
    bar.hidden = false
    if (fraction < 1) bar.value = fraction
    // The last byte is sent: the server is checking the file.
    else bar.removeAttribute('value')
    status.textContent = fraction < 1 ? `正在上传 ${Math.floor(fraction * 100)}%` : '正在处理…'
  }
  showProgress(0)
  return {
    dom,
    showProgress,
    showError(message) {
      dom.classList.add('is-failed')
      retryButton.hidden = false
      bar.hidden = true
      status.textContent = `${file.name}：${message}`
    },
    close: () => URL.revokeObjectURL(preview),
  }
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, className: string): HTMLElementTagNameMap[K] {
  const created = document.createElement(name)
  created.className = className
  return created
}

function button(text: string, onClick: () => void): HTMLButtonElement {
  const created = element('button', 'editor-upload-button')
  created.type = 'button'
  created.textContent = text
  created.addEventListener('click', onClick)
  return created
}
