import { Input, Typography } from 'antd'
import { useDeferredValue } from 'react'
import styles from '#web/admin/controls/controls.module.css'
import { adDocument, adHeight } from '#web/domain/ad-frame.ts'

interface AdContentInputProps {
  id?: string
  value?: string
  onChange?: (value: string) => void
  onBlur?: () => void
}

/** The HTML of an advertisement, with a preview as visitors see it: in a sandboxed frame without scripts. */
export function AdContentInput({ id, value = '', onChange, onBlur }: AdContentInputProps) {
  const previewed = useDeferredValue(value)
  return (
    <>
      <Input.TextArea
        id={id}
        value={value}
        spellCheck={false}
        styles={{ textarea: codeStyle }}
        autoSize={{ minRows: 5, maxRows: 14 }}
        placeholder={'<a href="https://example.com"><img src="https://example.com/a.png" height="90" alt=""></a>'}
        onChange={(event) => onChange?.(event.target.value)}
        onBlur={onBlur}
      />
      {previewed.trim() !== '' && (
        <figure className={styles.adPreview}>
          <Typography.Text type="secondary">预览</Typography.Text>
          <iframe
            title="广告预览"
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            referrerPolicy="no-referrer"
            srcDoc={adDocument(previewed)}
            height={adHeight(previewed)}
          />
        </figure>
      )}
    </>
  )
}

const codeStyle = {
  fontFamily: "ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace",
  fontSize: 13,
}
