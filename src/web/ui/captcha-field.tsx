import { RefreshCw } from 'lucide-react'
import type { Captcha, Picture } from '#web/lib/captcha.ts'
import { TextField } from '#web/ui/input.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

interface CaptchaFieldProps {
  captcha: Captcha
  field: {
    name: string
    value: string
    error: string | undefined
    onChange: (value: string) => void
    onBlur: () => void
  }
}

export function CaptchaField({ captcha, field }: CaptchaFieldProps) {
  const { picture, show, showIfNew } = captcha
  if (!captcha.needed) return null
  const renew = () => {
    field.onChange('')
    void show()
  }
  const isAudio = picture.state === 'shown' && picture.source.startsWith('data:audio')
  return (
    <div>
      <TextField
        label="验证码"
        {...field}
        maxLength={16}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder={isAudio ? '听到的内容' : '图中的内容'}
        onFocus={() => void showIfNew()}
        beside={
          <button
            type="button"
            onClick={renew}
            aria-label={labels[picture.state]}
            title={labels[picture.state]}
            className="flex h-11 w-32 shrink-0 items-center justify-center gap-1.5 overflow-hidden rounded-md border border-line bg-sunken text-sm text-muted hover:border-edge hover:text-ink"
          >
            <Face picture={picture} />
          </button>
        }
      />
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a caption would be the answer */}
      {isAudio && <audio controls src={picture.source} className="mt-2 h-10 w-full" aria-label="语音验证码" />}
    </div>
  )
}

const labels: Record<Picture['state'], string> = {
  none: '点击获取验证码',
  loading: '正在获取验证码',
  failed: '获取失败，重新获取',
  shown: '看不清，换一个验证码',
}

function Face({ picture }: { picture: Picture }) {
  if (picture.state === 'none') return '点击获取'
  if (picture.state === 'loading') return <Spinner />
  if (picture.state === 'shown' && picture.source.startsWith('data:image/')) {
    return <img src={picture.source} alt="验证码" className="size-full bg-[#fff] object-contain" />
  }
  return (
    <>
      <RefreshCw size={14} aria-hidden />
      {picture.state === 'failed' ? '重新获取' : '换一个'}
    </>
  )
}
