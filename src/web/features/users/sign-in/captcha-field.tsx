import { RefreshCw } from 'lucide-react'
import type { Captcha, CaptchaImage } from '#web/features/users/sign-in/captcha.ts'
import { TextField } from '#web/ui/forms/input.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'

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
  const { image, load, loadOnce } = captcha
  if (!captcha.needed) return null
  const replace = () => {
    field.onChange('')
    void load()
  }
  const isAudio = image.state === 'shown' && image.source.startsWith('data:audio')
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
        onFocus={() => void loadOnce()}
        beside={
          <button
            type="button"
            onClick={replace}
            aria-label={labels[image.state]}
            title={labels[image.state]}
            className="flex h-11 w-32 shrink-0 items-center justify-center gap-1.5 overflow-hidden rounded-md border border-line bg-sunken text-sm text-muted hover:border-edge hover:text-ink"
          >
            <CaptchaButtonContent image={image} />
          </button>
        }
      />
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a caption would be the answer */}
      {isAudio && <audio controls src={image.source} className="mt-2 h-10 w-full" aria-label="语音验证码" />}
    </div>
  )
}

const labels: Record<CaptchaImage['state'], string> = {
  none: '点击获取验证码',
  loading: '正在获取验证码',
  failed: '获取失败，重新获取',
  shown: '看不清，换一个验证码',
}

function CaptchaButtonContent({ image }: { image: CaptchaImage }) {
  if (image.state === 'none') return '点击获取'
  if (image.state === 'loading') return <Spinner />
  if (image.state === 'shown' && image.source.startsWith('data:image/')) {
    return <img src={image.source} alt="验证码" className="size-full bg-[#fff] object-contain" />
  }
  return (
    <>
      <RefreshCw size={14} aria-hidden />
      {image.state === 'failed' ? '重新获取' : '换一个'}
    </>
  )
}
