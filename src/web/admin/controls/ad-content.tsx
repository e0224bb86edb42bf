import { Input, Typography } from 'antd'
import { useDeferredValue } from 'react'
import { adHeight, framedAd } from '#web/lib/ad-frame.ts'

interface AdContentProps {
  id?: string
  value?: string
  onChange?: (value: string) => void
  onBlur?: () => void
}

/** What an advertisement is made of, and how visitors see it: in a frame of its own in which nothing runs. */
export function AdContent({ id, value = '', onChange, onBlur }: AdContentProps) {
  const shown = useDeferredValue(value)
  return (
    <>
      <Input.TextArea
        id={id}
        value={value}
        spellCheck={false}
        className="wa-code"
        autoSize={{ minRows: 5, maxRows: 14 }}
        placeholder={'<a href="https://example.com"><img src="https://example.com/a.png" height="90" alt=""></a>'}
        onChange={(event) => onChange?.(event.target.value)}
        onBlur={onBlur}
      />
      {shown.trim() !== '' && (
        <figure className="wa-ad">
          <Typography.Text type="secondary">预览</Typography.Text>
          <iframe
            title="广告预览"
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            referrerPolicy="no-referrer"
            srcDoc={framedAd(shown)}
            height={adHeight(shown)}
          />
        </figure>
      )}
    </>
  )
}
